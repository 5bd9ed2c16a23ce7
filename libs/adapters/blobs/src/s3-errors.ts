import { S3ServiceException } from '@aws-sdk/client-s3';
import { CodedError } from '@postmaster/contracts';

/** What no other try changes: the key, the bucket's name, the region, what the key may do. */
const REFUSED = new Set([
  'AccessDenied',
  'AuthorizationHeaderMalformed',
  'InvalidAccessKeyId',
  'InvalidBucketName',
  'NoSuchBucket',
  'PermanentRedirect',
  'SignatureDoesNotMatch',
]);

/** While it runs, another try may be right: someone is about to mend the key or the bucket. */
export const s3Failure = (error: unknown, bucket: string): unknown => {
  if (error instanceof CodedError) return error;
  return new CodedError('SERVICE_UNAVAILABLE', `The blob store (S3 bucket "${bucket}") ${complaint(error)}.`, {
    cause: error,
  });
};

/** At the start it is said at once. */
export const s3StartFailure = (error: unknown, bucket: string): unknown =>
  error instanceof S3ServiceException && (REFUSED.has(error.name) || error.$response?.statusCode === 403)
    ? new CodedError('CONFIG_INVALID', `The blob store (S3 bucket "${bucket}") ${complaint(error)}.`, {
        cause: error,
        next: 'Check BLOBS_URL, S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.',
      })
    : s3Failure(error, bucket);

export const isNothing = (error: unknown): boolean =>
  error instanceof S3ServiceException && (error.name === 'NoSuchKey' || error.name === 'NotFound');

const complaint = (error: unknown): string =>
  error instanceof S3ServiceException
    ? `answers with ${error.name}: ${error.message}`
    : `does not answer: ${error instanceof Error ? error.message || error.name : String(error)}`;

import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where a server that files share keeps what it stores, what folders of documents may lie below, and what it runs with. */
export const sharedPlace = () => {
  const root = mkdtempSync(join(tmpdir(), 'postmaster-e2e-'));
  chmodSync(root, 0o755); // Postgres runs as another user where this one is root
  const [kept, files] = [join(root, 'kept'), join(root, 'files')];
  for (const path of [kept, files]) mkdirSync(path);
  const env = {
    ...{ ENCODER_THREADS: '1', POSTMASTER_ADMIN_KEY: 'operators-key-of-the-test' },
    ...{ MAIL_WEBHOOK_SECRET: 'the secret of the webhook', ALLOWED_PRIVATE_HOSTS: '127.0.0.1' },
    ...{ FOLDER_ROOTS: files, FOLDER_RESCAN_SECONDS: '1' },
  };
  const remove = () => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  return { kept, files, env, remove };
};

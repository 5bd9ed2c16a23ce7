import { rmSync } from 'node:fs';

export default async () => {
  const { root, cluster } = globalThis.postmasterCluster ?? {};
  await cluster?.end();
  if (root) rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
};

import { requestsContract } from '@postmaster/testing/suites';
import { localRequests } from '../index.js';

requestsContract('requests within a process', async (seal) => {
  const requests = localRequests(seal);
  return { asking: requests, answering: requests, close: async () => {} };
});

import { FakePointStore } from './fake-point-store.js';
import { pointKindsContract } from './point-kinds-contract.js';
import { pointWritingContract } from './point-writing-contract.js';

for (const contract of [pointWritingContract, pointKindsContract])
  contract('the point store in memory', () => Promise.resolve(new FakePointStore()));

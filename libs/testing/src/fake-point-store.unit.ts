import { FakePointStore } from './fake-point-store.js';
import { pointWritingContract } from './point-writing-contract.js';

pointWritingContract('the point store in memory', () => Promise.resolve(new FakePointStore()));

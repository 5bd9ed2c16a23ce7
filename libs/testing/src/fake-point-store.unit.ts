import { FakePointStore } from './fake-point-store.js';
import { pointStoreContract } from './suites.js';

pointStoreContract('the point store in memory', () => Promise.resolve(new FakePointStore()));

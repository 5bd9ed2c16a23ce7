import { pointFilterContract } from './point-filter-contract.js';
import type { Points } from './point-fixtures.js';
import { pointKindsContract } from './point-kinds-contract.js';
import { pointReadingContract } from './point-reading-contract.js';
import { pointWritingContract } from './point-writing-contract.js';

/** What every vector store does, in both its halves. `make` gives an empty one, for tenants and indexes of any name. */
export const pointStoreContract = (name: string, make: () => Promise<Points>): void => {
  pointWritingContract(name, make);
  pointReadingContract(name, make);
  pointFilterContract(name, make);
  pointKindsContract(name, make);
};

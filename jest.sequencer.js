import Sequencer from '@jest/test-sequencer';

const KINDS = ['.e2e.ts', '.int.ts', '.unit.ts'];
const kindOf = ({ path }) => KINDS.findIndex((kind) => path.endsWith(kind));

/** What waits for servers and outages starts first, so that no worker is left alone with it at the end. */
export default class WaitingFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).toSorted((one, other) => kindOf(one) - kindOf(other));
  }
}

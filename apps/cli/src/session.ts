import { type Client, clientOf } from './client/client.js';
import { findServer } from './client/find-server.js';
import type { Surroundings } from './surroundings.js';
import { type Screen, screenOf } from './terminal/screen.js';

/** One command's run. */
export interface Session {
  surroundings: Surroundings;
  screen: Screen;
  /** The server, looked for when it is first needed. */
  client(): Promise<Client>;
}

export const sessionOf = (surroundings: Surroundings, json: boolean): Session => {
  let client: Promise<Client> | undefined;
  return {
    surroundings,
    screen: screenOf(surroundings, json),
    client: () => (client ??= findServer(surroundings).then((place) => clientOf(place, surroundings.signal))),
  };
};

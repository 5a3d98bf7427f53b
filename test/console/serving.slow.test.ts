/** Serving the console's files, each in every content coding. */
import { afterAll, beforeAll, describe, it } from 'vitest';
import { startServer, type TestServer } from '../support/server.ts';
import { compareCodings, names } from './serving.fixture.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

describe('the files of the console', () => {
  it.each(names)('%s is the same in every coding, and may be cached for ever', (name) => compareCodings(server, name));
});

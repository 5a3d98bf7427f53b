/** The described interface through the eyes of generators: what they make of it compiles, and calls the service. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../support/server.ts';
import { check, expectedFindings, npmGenerators } from './generators.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const busyMachine = { timeout: 120_000 };

test.each(npmGenerators)(
  'a client of $name compiles, reads, creates, patches and meets a conflict',
  busyMachine,
  async (generator) => {
    const { developer, slug } = await server.newProject();
    const { text } = await server.call('GET', '/openapi.json');
    const target = { url: server.baseUrl, accountId: developer.accountId, developerToken: developer.token, slug };
    expect(await check(generator, text, target)).toEqual(expectedFindings);
  },
);

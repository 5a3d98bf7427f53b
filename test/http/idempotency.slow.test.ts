/** Writes repeated with their key are carried out once. @see docs/contract.md §4.8 */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { startServer, type TestServer } from '../support/server.ts';
import { add, publicDocumentOf, userDocumentOf, writeTogether } from './idempotency.fixture.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

describe.each([
  ['PUT of public state', 'PUT', publicDocumentOf, (n: number) => ({ state: { n }, comment: `comment ${n}` })],
  ['PATCH of public state', 'PATCH', publicDocumentOf, (n: number) => ({ ...add('/n', n), comment: `comment ${n}` })],
  ['PATCH of user state', 'PATCH', userDocumentOf, (n: number) => add('/n', n)],
] as const)('a repeated %s', (_name, method, newDocument, bodyOf) => {
  test('of 100 simultaneous ones is carried out once, and all get the same version', async () =>
    writeTogether(await newDocument(server), method, bodyOf, 100));
});

/** Operations that service accounts of each role reach. @see docs/contract.md §8.11 */
import { serviceAccountRoles } from '@holdfast/contract';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { startServer, type TestServer } from '../support/server.ts';
import { expectTable } from './service-accounts.fixture.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ settings: { SVC_AUTH_RATE_LIMIT_PER_MINUTE: '0' } });
});
afterAll(() => server.stop());

describe('the reach of a service account', () => {
  test.each(serviceAccountRoles)('as %s matches the table for every operation', (role) => expectTable(server, role));
});

/** The limit on invitations per account. @see docs/contract.md §8.9 */
import { expect, it } from 'vitest';
import { newMember } from '../support/members.ts';
import { startServer } from '../support/server.ts';

it('an account has at most a hundred open invitations, even if created simultaneously: 409', async () => {
  const server = await startServer();
  const owner = await newMember(server, (await server.newDeveloper()).accountId, 'owner');
  const path = `/v1/${owner.accountId}/invitations`;
  const make = () => server.call('POST', path, { headers: owner.bearer, body: { role: 'viewer' } });
  const statuses = (await Promise.all(Array.from({ length: 1_000 }, make))).map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(100);
  expect(await make()).toMatchObject({ status: 409, json: { error: 'limit_reached' } });
  await server.stop();
});

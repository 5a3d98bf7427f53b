import { expect, it } from 'vitest';
import { largeReads, requestWrites } from './verb-tables.ts';

it('a permit is checked by every hot write, and by no method that reads or counts', () => {
  const { writes, preparations } = requestWrites;
  expect(writes).toEqual(expect.arrayContaining(['writePublicState', 'writeUserState', 'consumeRefreshToken']));
  const others = /^(?:read|list|current|find|count|measure|marks|check|on[A-Z]|close|publish|takeFrom|returnTo|is[A-Z])/;
  expect(writes.filter((name) => others.test(name))).toEqual([]);
  expect(preparations).toEqual(['spendTicket']);
  expect(writes).not.toContain('spendTicket');
});

it('a list waits for the turn of the account or record that its arguments name', () => {
  const owners = new Map<string, (...args: never) => unknown>(largeReads);
  const key = { accountId: 'acc_1', slug: 'p', environment: 'staging', playerId: 'ada' };
  const ownerOf = (name: string, ...args: unknown[]) => owners.get(name)?.(...(args as never));
  expect(ownerOf('listUserStates', key)).toEqual({ account: 'acc_1', subject: 'reads of p/staging/ada' });
  expect(ownerOf('listApiKeys', { accountId: 'acc_1', slug: 'p' })).toEqual({ account: 'acc_1', subject: 'reads of p//' });
  expect(ownerOf('listUsers', 'acc_2')).toEqual({ account: 'acc_2', subject: '' });
  // Their first argument is the position of a page, not an account.
  for (const name of ['listAccounts', 'listWordlessAccounts', 'listBoundedHistories', 'listKeptUserStates']) {
    expect(ownerOf(name, 'acc_3')).toEqual({ account: '', subject: '' });
  }
  expect(owners.has('readPublicState')).toBe(false);
});

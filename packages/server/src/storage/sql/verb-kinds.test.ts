/** What follows from the declaration of each verb, seen through what uses it. */
import { expect, it } from 'vitest';
import { permitted, requirePermits } from '../../access/permit.ts';
import { type ReadDoor, throughReadDoor } from '../read-door/read-door.ts';
import type { Store } from '../store.ts';
import { requestWrites, type VerbName, verbKinds } from './verbs.ts';

type Method = (...args: readonly unknown[]) => unknown;

const names = verbKinds.map(([name]) => name);
/** A store of verbs that do nothing. */
const idle = Object.fromEntries(names.map((name) => [name, () => undefined])) as unknown as Store;
const key = { accountId: 'acc_1', slug: 'p', environment: 'staging', playerId: 'ada' };

/** The owner for whom each verb passes the read door when it is called with such arguments. Others do not pass it. */
function ownersOf(...args: readonly unknown[]): Record<string, unknown> {
  const owners: [string, unknown][] = [];
  let called = '';
  const door: ReadDoor = async (owner, read) => {
    owners.push([called, owner]);
    return read();
  };
  const store = { ...idle, ...throughReadDoor(idle, door) } as unknown as Record<VerbName, Method>;
  for (const name of names) {
    called = name;
    store[name](...args);
  }
  return Object.fromEntries(owners);
}

it('exactly the reads that declare an owner pass the read door, for that owner', () => {
  const declared = verbKinds.flatMap(([name, verb]) =>
    verb.kind === 'read' && verb.ownerOf !== undefined ? [[name, (verb.ownerOf as Method)(key, key)] as const] : [],
  );
  expect(declared.length).toBeGreaterThan(20);
  expect(ownersOf(key, key)).toEqual(Object.fromEntries(declared));
});

it('a list waits for the turn of the account or record that its arguments name', () => {
  expect(ownersOf(key)).toMatchObject({
    listUserStates: { account: 'acc_1', subject: 'reads of p/staging/ada' },
    listApiKeys: { account: 'acc_1', subject: 'reads of p/staging/ada' },
  });
  const none = { account: '', subject: '' };
  // The first argument of most is the position of a page, not an account.
  const ofInstallation = { listAccounts: none, listWordlessAccounts: none, listBoundedHistories: none };
  expect(ownersOf('acc_2')).toMatchObject({ listUsers: { account: 'acc_2', subject: '' }, ...ofInstallation });
});

it('a request asks for its permit at exactly the verbs that declare a write, and again after those that prepare one', async () => {
  const store = requirePermits(idle, requestWrites) as unknown as Record<VerbName, Method>;
  const asked: Record<string, number> = {};
  for (const name of names) {
    asked[name] = 0;
    const permit = {
      holds: () => {
        asked[name] = (asked[name] ?? 0) + 1;
        return true;
      },
      renew: async () => undefined,
    };
    await permitted(permit, undefined, () => {
      store[name]();
      store[name]();
    });
  }
  const declared = verbKinds.map(([name, verb]) => {
    if (verb.kind !== 'write') return [name, 0];
    return [name, verb.preparesWrite === true ? 2 : 1];
  });
  expect(asked).toEqual(Object.fromEntries(declared));
  expect(asked).toMatchObject({
    writePublicState: 1,
    consumeRefreshToken: 1,
    spendTicket: 2,
    readPublicState: 0,
    marks: 0,
  });
});

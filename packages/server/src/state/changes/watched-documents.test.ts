import { expect, test } from 'vitest';
import type { ProjectKey } from '../../storage/contract/projects.ts';
import type { Source } from './source.ts';
import { createShared, WatchedDocuments } from './watched-documents.ts';

/** More accounts than are polled at the same time. */
const accounts = Array.from({ length: 20 }, (_, index) => `account-${index}`);

/** Watches a document of each account, whose versions are polled together, and returns what polls one. */
async function watchAll(failing: ReadonlySet<string>) {
  let version = 1;
  const asked: string[][] = [];
  let onFault: (error: unknown) => void = () => undefined;
  const source: Source<ProjectKey> = {
    pollMilliseconds: 1,
    keysMax: 1_000,
    nameOf: ({ accountId }) => accountId,
    ownerOf: ({ accountId }) => ({ account: accountId, subject: 'document' }),
    read: async () => ({ kind: 'absent' }),
    async currentVersions(found) {
      const keys = found.map(({ accountId }) => accountId);
      asked.push(keys);
      if (version > 1 && keys.some((key) => failing.has(key))) throw new Error('the machine is away');
      return keys.map((key) => ({ kind: 'present', record: { version, recordId: key } }));
    },
    kept: undefined,
  };
  const watched = new WatchedDocuments<ProjectKey>(
    { source, compare: async () => '[]', onFault: (error) => onFault(error), onRecovery: () => undefined },
    createShared(setImmediate),
  );
  const documents = await Promise.all(
    accounts.map(async (key) => ({ key, document: await watched.document({ accountId: key, slug: 'p' }) })),
  );
  return {
    asked,
    /** Raises all versions, and returns the accounts whose document is seen to have changed in the next polls, which fail. */
    async changed(polls: number) {
      version += 1;
      asked.length = 0;
      for (let poll = 0; poll < polls; poll++) await new Promise((resolve) => (onFault = resolve));
      return documents.filter(({ document }) => !document.isBehind(version)).map(({ key }) => key);
    },
    close: () => watched.close(),
  };
}

test('documents of other accounts are polled while the machine of some is away', async () => {
  const away = new Set(accounts.slice(5, 9));
  const { changed, close } = await watchAll(away);
  expect(await changed(1)).toEqual(accounts.filter((account) => !away.has(account)));
  await close();
});

test('a poll ends with the first accounts that all fail, and the next begins with others', async () => {
  const away = new Set(accounts.slice(0, 19));
  const { asked, changed, close } = await watchAll(away);
  expect(await changed(3)).toEqual(accounts.slice(19));
  expect(asked.length).toBeLessThan(3 * accounts.length);
  await close();
});

import { expect, it } from 'vitest';
import type { Nameless } from '../storage/contract/members.ts';
import { createDisplayNames, displayName } from './display-names.ts';

it.each([
  [{ name: 'Ada Lovelace', email: 'ada@example.com' }, 'Ada Lovelace'],
  [{ name: 'ada@example.com', email: null }, 'ada'],
  [{ name: ' ada@home@example.com ', email: null }, 'ada'],
  [{ name: null, email: 'ada.l@example.com' }, 'ada.l'],
  [{ name: ' ', email: 'ada@example.com' }, 'ada'],
  [{ name: '@ada', email: 'ada@example.com' }, '@ada'],
  [{ name: 'Ada @ Acme', email: 'ada@example.com' }, 'Ada @ Acme'],
  [{ name: null, email: null }, null],
])('the display name of %j is %j', (known, name) => {
  expect(displayName(known)).toBe(name);
});

it('looks up a page in one read, each holder once, and a page without people not at all', async () => {
  const reads: Nameless[] = [];
  const findNames = (_account: string, _issuer: string, nameless: Nameless) => {
    reads.push(nameless);
    return [{ by: 'subjects' as const, id: 'usr_1', name: 'Ada', email: null }];
  };
  const names = createDisplayNames({ findNames }, 'https://issuer.example');
  const page = [
    { kind: 'developer', id: 'usr_1' },
    null,
    { kind: 'api_key', id: 'key_1' },
    { kind: 'developer', id: 'usr_1' },
    { kind: 'service_account', id: 'sa_1' },
  ] as const;
  const nameOf = await names.ofAuthors({ kind: 'developer' }, 'acc_1', page);
  expect(reads).toEqual([{ subjects: ['usr_1'], memberIds: [], serviceAccountIds: ['sa_1'] }]);
  expect(page.map((author) => author && nameOf(author))).toEqual(['Ada', null, null, 'Ada', null]);

  const unread = await names.ofAuthors({ kind: 'api_key' }, 'acc_1', page);
  expect(page.map((author) => author && unread(author))).toEqual(page.map(() => null));
  await names.ofAuthors({ kind: 'developer' }, 'acc_1', [null, { kind: 'api_key', id: 'key_1' }]);
  await names.ofActors('acc_1', [{ kind: 'operator', id: 'operator' }]);
  expect(reads).toHaveLength(1);
});

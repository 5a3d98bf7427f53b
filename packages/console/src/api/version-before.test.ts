import { ApiError } from '@holdfast/contract/call';
import { expect, it } from 'vitest';
import { type Versions, versionBefore } from './version-before.ts';

const missing = new ApiError(404, { error: 'not_found' });

/** Pages of two. */
function versionsOf(...stored: number[]) {
  const pages: (string | null)[] = [];
  const versions: Versions = {
    read: async (version) => {
      if (!stored.includes(version)) throw missing;
    },
    list: async (cursor) => {
      pages.push(cursor);
      const begin = Number(cursor ?? 0);
      const items = stored.slice(begin, begin + 2).map((version) => ({ version }));
      return { items, cursor: begin + 2 < stored.length ? String(begin + 2) : null };
    },
  };
  return { versions, pages };
}

it('the version before is the next lower number, without a list', async () => {
  const { versions, pages } = versionsOf(3, 2, 1);
  expect(await versionBefore(3, versions)).toBe(2);
  expect(pages).toEqual([]);
});

it('the version before a jump is found in the list, on any page', async () => {
  const { versions, pages } = versionsOf(1_000_012, 1_000_011, 1_000_010, 12, 11);
  expect(await versionBefore(1_000_010, versions)).toBe(12);
  expect(pages).toEqual([null, '2']);
  expect(await versionBefore(1_000_011, versions)).toBe(1_000_010);
});

it('nothing is before the first version, whatever its number', async () => {
  expect(await versionBefore(1, versionsOf(1).versions)).toBe(0);
  expect(await versionBefore(1_000_010, versionsOf(1_000_011, 1_000_010).versions)).toBe(0);
});

it('a failed read is no missing version', async () => {
  const read = () => Promise.reject(new ApiError(503, {}));
  await expect(versionBefore(3, { ...versionsOf(3, 2, 1).versions, read })).rejects.toMatchObject({ status: 503 });
});

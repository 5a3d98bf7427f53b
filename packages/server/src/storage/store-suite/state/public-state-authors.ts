import { expect } from 'vitest';
import type { Author, HistoryItem } from '../../contract/public-states.ts';
import {
  absent,
  type CreateStoreHarness,
  casesOf,
  ensureProject,
  newState,
  stateKey,
  version,
  type Weight,
  weirdTexts,
  withStore,
  writeNext,
} from '../harness.ts';
import { byOperator } from '../records.fixture.ts';

const apiKey: Author = { kind: 'api_key', id: 'key_1', name: 'server' };

export function publicStateAuthors(createHarness: CreateStoreHarness, weight: Weight = 'quick'): void {
  const { each, sized, test } = casesOf(weight);
  const at = withStore(createHarness);
  const key = stateKey();
  const pageOf = async (itemsMax: number, before: number | null = null, of = key) => {
    const found = await at.store.listPublicStateHistory(of, { before, itemsMax });
    if (found.kind !== 'history') throw new Error(found.kind);
    return found;
  };
  const numbers = (items: readonly HistoryItem[]) => items.map((item) => item.version);

  test('history is unknown without the project and empty before the first write', async () => {
    const page = { before: null, itemsMax: 50 };
    expect(await at.store.listPublicStateHistory(key, page)).toEqual({ kind: 'no_project' });
    await ensureProject(at.store, key);
    expect(await at.store.listPublicStateHistory(key, page)).toEqual({ kind: 'history', items: [], hasMore: false });
  });

  test('every version keeps its author, time, comment and size', async () => {
    await ensureProject(at.store, key);
    const developer: Author = { kind: 'developer', id: 'usr_1' };
    await at.store.writePublicState(key, absent, newState('{"n":1}', 'first', { author: apiKey, writtenAt: 5_000 }));
    await at.store.writePublicState(key, version(1), newState('{}', null, { author: developer, writtenAt: 4_000 }));
    await at.store.writePublicState(key, version(2), newState('{}', null, { author: null, writtenAt: 6_000 }));
    const items = [
      { version: 3, stateBytes: 2, comment: null, writtenAt: 6_000, author: null },
      { version: 2, stateBytes: 2, comment: null, writtenAt: 4_000, author: developer },
      { version: 1, stateBytes: 7, comment: 'first', writtenAt: 5_000, author: apiKey },
    ];
    expect(await pageOf(50)).toEqual({ kind: 'history', items, hasMore: false });
    await at.reopen();
    expect(await pageOf(50)).toEqual({ kind: 'history', items, hasMore: false });
  });

  test('a write that fails records no author', async () => {
    await ensureProject(at.store, key);
    await at.store.writePublicState(key, absent, newState('{}', null, { author: apiKey }));
    await at.store.writePublicState(key, absent, newState('{}', null, { author: { kind: 'developer', id: 'late' } }));
    await at.store.writePublicState(key, version(7), newState('{}', null, { author: { kind: 'developer', id: 'late' } }));
    expect((await pageOf(50)).items.map(({ author }) => author)).toEqual([apiKey]);
  });

  test('after parallel writes each version has its own author', async () => {
    const keys = Array.from({ length: 40 }, (_, i) => stateKey({ slug: `p${i}` }));
    for (const each of keys) await ensureProject(at.store, each);
    const by = (slug: string, n: number): Author => ({ kind: 'api_key', id: `key_${n}`, name: slug });
    await Promise.all(
      keys.flatMap((each) =>
        [0, 1, 2].map((n) =>
          at.store.writePublicState(
            each,
            n === 0 ? absent : version(n),
            newState('{}', null, { author: by(each.slug, n) }),
          ),
        ),
      ),
    );
    for (const each of keys) {
      const { items } = await pageOf(50, null, each);
      expect(items.map(({ author }) => author)).toEqual([2, 1, 0].map((n) => by(each.slug, n)));
    }
  });

  each('the author %j comes back unchanged', weirdTexts, async (text) => {
    await ensureProject(at.store, key);
    const authors: Author[] = [
      { kind: 'developer', id: text },
      { kind: 'api_key', id: 'key_1', name: text },
    ];
    await at.store.writePublicState(key, absent, newState('{}', text, { author: authors[0] as Author }));
    await at.store.writePublicState(key, version(1), newState('{}', text, { author: authors[1] as Author }));
    const { items } = await pageOf(50);
    expect(items.map(({ author, comment }) => [author, comment])).toEqual([
      [authors[1], text],
      [authors[0], text],
    ]);
  });

  // More than once or twice any power-of-two step of an engine's index; states of one page and of many.
  const versions = { quick: 70, heavy: 140 };
  sized('pages of any size list every version once, newest first, and mark the last page', versions, async (count) => {
    await ensureProject(at.store, key);
    for (let n = 1; n <= count; n++) await writeNext(at.store, key, `{"n":"${'x'.repeat((n % 3) * 9_000)}"}`);
    for (const itemsMax of [1, 7, 50, count - 1, count, count + 1]) {
      const seen: number[] = [];
      for (let before: number | null = null; ; before = seen.at(-1) as number) {
        const { items, hasMore } = await pageOf(itemsMax, before);
        seen.push(...numbers(items));
        expect(hasMore).toBe(seen.length < count);
        if (!hasMore) break;
        expect(items).toHaveLength(itemsMax);
      }
      expect(seen).toEqual(Array.from({ length: count }, (_, i) => count - i));
    }
    expect(numbers((await pageOf(2, 65)).items)).toEqual([64, 63]);
    expect(numbers((await pageOf(2, 1_000)).items)).toEqual([count, count - 1]);
    for (const before of [1, 0, -1]) expect(await pageOf(50, before)).toMatchObject({ items: [], hasMore: false });
  });

  test('a project created again has none of its earlier history', async () => {
    await ensureProject(at.store, key);
    for (let n = 0; n < 3; n++) await writeNext(at.store, key);
    await at.store.deleteProject(byOperator, key);
    await ensureProject(at.store, key);
    expect((await pageOf(50)).items).toEqual([]);
    await writeNext(at.store, key);
    expect(numbers((await pageOf(50)).items)).toEqual([4]);
    expect(numbers((await pageOf(50, 4)).items)).toEqual([]);
  });
}

import { expect } from 'vitest';
import type { PagePosition } from '../../contract/pages.ts';
import type { ListedUserState } from '../../contract/user-states.ts';
import type { Store } from '../../store.ts';
import { absent, type CreateStoreHarness, casesOf, ensureProject, version, type Weight, withStore } from '../harness.ts';
import { byOperator } from '../records.fixture.ts';
import { newUserState, userKey } from '../sign-in/sign-in-records.ts';

export function userStatePages(createHarness: CreateStoreHarness, weight: Weight = 'quick'): void {
  const { sized, test } = casesOf(weight);
  const at = withStore(createHarness);
  const place = userKey();
  const create = (id: string, writtenAt = 4_000) =>
    at.store.writeUserState(userKey(id), absent, newUserState(`{"id":"${id}"}`, writtenAt));
  const ids = (items: readonly ListedUserState[]) => items.map(({ playerId }) => playerId);

  async function page(after: PagePosition | null, itemsMax: number, store: Store = at.store) {
    const outcome = await store.listUserStates(place, { after, itemsMax });
    if (outcome.kind === 'no_project') throw new Error('the project is gone');
    return outcome.page;
  }

  /** All pages, with `between` called after each. */
  async function allPages(itemsMax: number, between: () => unknown = () => {}): Promise<ListedUserState[]> {
    const items: ListedUserState[] = [];
    for (let next: PagePosition | null = null; ; ) {
      const found = await page(next, itemsMax);
      items.push(...found.items);
      if (items.length > 1_000) throw new Error('the pages have no end');
      next = found.next;
      if (next === null) return items;
      await between();
    }
  }

  test('a page is unknown without the project and empty without records', async () => {
    expect(await at.store.listUserStates(place, { after: null, itemsMax: 50 })).toEqual({ kind: 'no_project' });
    await ensureProject(at.store, place);
    expect(await page(null, 50)).toEqual({ items: [], next: null });
  });

  test('records are whole and sorted newest first by creation, whatever the writes or the clock', async () => {
    await ensureProject(at.store, place);
    await create('a', 3_000);
    await create('b', 1_000);
    await create('c', 2_000);
    await at.store.writeUserState(userKey('a'), version(1), newUserState('{"n":2}', 9_000));
    await create('d', 2_000);
    expect(await page(null, 50)).toEqual({
      items: [
        { playerId: 'd', version: 1, stateText: '{"id":"d"}', stateBytes: 10, updatedAt: 2_000 },
        { playerId: 'c', version: 1, stateText: '{"id":"c"}', stateBytes: 10, updatedAt: 2_000 },
        { playerId: 'b', version: 1, stateText: '{"id":"b"}', stateBytes: 10, updatedAt: 1_000 },
        { playerId: 'a', version: 2, stateText: '{"n":2}', stateBytes: 7, updatedAt: 9_000 },
      ],
      next: null,
    });
  });

  test('pages of any size list every record once and mark the last page', async () => {
    await ensureProject(at.store, place);
    for (let i = 0; i < 12; i++) await create(`u${i}`);
    const expected = Array.from({ length: 12 }, (_, i) => `u${11 - i}`);
    for (const itemsMax of [1, 4, 5, 12, 50]) expect(ids(await allPages(itemsMax))).toEqual(expected);
    await at.reopen();
    expect(ids(await allPages(5))).toEqual(expected);
    const first = await page(null, 4);
    const last = await page((await page(first.next, 4)).next, 4);
    expect([ids(last.items), last.next]).toEqual([['u3', 'u2', 'u1', 'u0'], null]);
  });

  test('a page position reveals no player id', async () => {
    await ensureProject(at.store, place);
    for (const id of ['4711-first', '4711-second']) await create(id);
    const { next } = await page(null, 1);
    expect(next).not.toBeNull();
    expect(JSON.stringify(next)).not.toContain('4711');
  });

  test('a list holds only records of its own environment, project and account', async () => {
    const others = [
      userKey('staging', { environment: 'staging' }),
      userKey('q', { slug: 'q' }),
      userKey('acc_2', { accountId: 'acc_2' }),
    ];
    for (const each of [place, ...others]) await ensureProject(at.store, each);
    for (let i = 0; i < 3; i++) {
      await create(`mine-${i}`);
      for (const other of others) {
        const key = { ...other, playerId: `${other.playerId}-${i}` };
        await at.store.writeUserState(key, absent, newUserState());
      }
    }
    expect(ids(await allPages(2))).toEqual(['mine-2', 'mine-1', 'mine-0']);
    for (const other of others) {
      const listed = await at.store.listUserStates(other, { after: null, itemsMax: 2 });
      expect(listed).toMatchObject({ page: { items: [{ playerId: `${other.playerId}-2` }, {}], next: {} } });
    }
  });

  const rounds = { quick: 1, heavy: 4 };
  sized('pages list every remaining record once while others are created, written and deleted', rounds, async (rounds) => {
    await ensureProject(at.store, place);
    for (let i = 0; i < 60; i++) await create(`u${i}`);
    let random = 1;
    const pick = (below: number) => {
      random = (random * 48_271) % 2_147_483_647;
      return random % below;
    };
    for (let round = 0; round < rounds; round++) {
      const before = ids(await allPages(50));
      const deleted = new Set<string>();
      let created = 0;
      const seen = await allPages(5, async () => {
        await create(`new-${round}-${created++}`);
        const touched = before[pick(before.length)] as string;
        const found = await at.store.readUserState(userKey(touched));
        if (found.kind === 'present') {
          await at.store.writeUserState(userKey(touched), version(found.record.version), newUserState('{"touched":1}'));
        }
        const gone = before[pick(before.length)] as string;
        deleted.add(gone);
        await at.store.deleteUserStates(byOperator, place, gone);
        // Deleted and created again, it is a new record, which may appear or not, but never twice.
        if (pick(2) === 0) await create(gone);
      });
      expect(new Set(ids(seen)).size).toBe(seen.length);
      expect(ids(seen).filter((id) => before.includes(id) && !deleted.has(id))).toEqual(
        before.filter((id) => !deleted.has(id)),
      );
      expect(deleted.size).toBeGreaterThan(5);
    }
  });

  test('a page can continue from a deleted record', async () => {
    await ensureProject(at.store, place);
    for (let i = 0; i < 6; i++) await create(`u${i}`);
    const { next } = await page(null, 2);
    for (const id of ['u4', 'u5', 'u3']) await at.store.deleteUserStates(byOperator, place, id);
    expect(ids((await page(next, 2)).items)).toEqual(['u2', 'u1']);
  });

  test('a page stops before a record that would make it too large, and the next page begins with it', async () => {
    await ensureProject(at.store, place);
    for (const [i, bytes] of [100, 20, 30, 60, 100].entries()) {
      const stateText = `{"s":"${'é'.repeat((bytes - 8) / 2)}"}`;
      await at.store.writeUserState(userKey(`u${i}`), absent, { stateText, stateBytes: bytes, writtenAt: 1 });
    }
    const runs = async (itemsMax: number, bytesMax: number) => {
      const found: string[] = [];
      for (let after: PagePosition | null = null; ; ) {
        const outcome = await at.store.listUserStates(place, { after, itemsMax, bytesMax });
        if (outcome.kind === 'no_project') throw new Error('the project is gone');
        found.push(ids(outcome.page.items).join());
        after = outcome.page.next;
        if (after === null) return found;
      }
    };
    expect(await runs(50, 1)).toEqual(['u4', 'u3', 'u2', 'u1', 'u0']);
    expect(await runs(50, 110)).toEqual(['u4', 'u3,u2,u1', 'u0']);
    expect(await runs(50, 109)).toEqual(['u4', 'u3,u2', 'u1', 'u0']);
    expect(await runs(2, 110)).toEqual(['u4', 'u3,u2', 'u1', 'u0']);
    expect(await runs(50, 310)).toEqual(['u4,u3,u2,u1,u0']);
    expect(await runs(5, 1_000)).toEqual(['u4,u3,u2,u1,u0']);
  });

  test('a page of large states is complete', async () => {
    await ensureProject(at.store, place);
    const text = (i: number) => `{"s":"${String(i).repeat(255_992)}"}`;
    for (let i = 0; i < 5; i++) await at.store.writeUserState(userKey(`u${i}`), absent, newUserState(text(i)));
    const { items } = await page(null, 50);
    expect(items.every(({ stateText }, i) => stateText === text(4 - i))).toBe(true);
    expect(items).toHaveLength(5);
  });
}

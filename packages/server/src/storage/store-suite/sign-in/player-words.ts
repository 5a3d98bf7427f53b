import { expect, test } from 'vitest';
import { playerKeyKinds } from '../../contract/players.ts';
import { type CreateStoreHarness, ensureProject, unusualTexts, withStore } from '../harness.ts';
import { byOperator } from '../records.fixture.ts';

export function playerWords(createHarness: CreateStoreHarness): void {
  const at = withStore(createHarness);
  const [place, beside] = [
    { accountId: 'acc_1', slug: 'p' },
    { accountId: 'acc_1', slug: 'q' },
  ];
  const signIn = (subject: string, name: string, key = place, email: string | null = null) =>
    at.store.admitPlayer(key, { subject, provider: 'password', email, name }, 1_000);
  const found = async (prefix: string, key = place, isInProject = false) => {
    const search = { prefix, kinds: playerKeyKinds, isInProject, after: null, itemsMax: 50 };
    return (await at.store.listPlayers(key, search, 2_000)).players.map(({ playerId }) => playerId);
  };

  test('players are found by the words of their last sign-in, in the account and in each of its projects', async () => {
    await ensureProject(at.store, place);
    await ensureProject(at.store, beside);
    await signIn('one', 'Zoë Quill', place, 'z.quill@mail.example');
    await signIn('two', 'Quill', beside);
    expect(await found('zoe')).toEqual(['one']);
    expect(await found('mail.ex')).toEqual(['one']);
    expect((await found('quill')).toSorted()).toEqual(['one', 'two']);
    expect(await found('quill', place, true)).toEqual(['one']);
    expect(await found('', beside, true)).toEqual(['two']);
    await signIn('one', 'Yan Ibis', beside);
    await at.reopen();
    expect(await found('zoe')).toEqual([]);
    expect((await found('', beside, true)).toSorted()).toEqual(['one', 'two']);
    expect(await found('ibis', beside, true)).toEqual(['one']);
  });

  test('words go with their player, and sign-ins with their project', async () => {
    await ensureProject(at.store, place);
    await ensureProject(at.store, beside);
    for (const key of [place, beside]) await signIn('one', 'Zoë Quill', key);
    await at.store.deletePlayer(byOperator, { ...place, environment: null }, 'one');
    expect(await found('quill')).toEqual([]);
    expect(await found('', beside, true)).toEqual([]);
    await signIn('two', 'Quill', beside);
    expect([await at.store.forgetProjectPlayers(beside), await at.store.forgetProjectPlayers(beside)]).toEqual([1, 0]);
    expect(await found('', beside, true)).toEqual([]);
    expect(await found('', beside)).toEqual(['two']);
  });

  test('words are made again in slices, whatever the ids and names', async () => {
    await ensureProject(at.store, place);
    const subjects = [...unusualTexts, ...Array.from({ length: 60 }, (_, number) => `player-${number}`)];
    for (const subject of subjects) await signIn(subject, `Ada ${subject}`, place, 'ada@mail.example');
    expect((await at.store.listWordlessAccounts(null)).accountIds).toEqual(['acc_1']);
    expect(await at.store.fillPlayerWords('acc_1')).toBe(false);
    await at.reopen();
    let slices = 1;
    while (!(await at.store.fillPlayerWords('acc_1'))) slices++;
    expect(slices).toBeGreaterThan(1);
    expect(await at.store.listWordlessAccounts(null)).toEqual({ accountIds: [], next: null });
    expect(await at.store.fillPlayerWords('acc_1')).toBe(true);
    expect(await found('player-59')).toEqual(['player-59']);
    expect(await found('ada player-59')).toEqual(['player-59']);
    expect(await found('mail.example')).toHaveLength(50);
    // No such account: nothing is stored of it.
    expect(await at.store.fillPlayerWords('acc_none')).toBe(false);
    expect((await at.store.listWordlessAccounts('acc_1')).accountIds).toEqual([]);
  });
}

import { expect, test } from 'vitest';
import type { FigurePosition, RequestFigure } from '../../contract/usage.ts';
import {
  account,
  apiKey,
  type CreateStoreHarness,
  ensureProject,
  hashOf,
  project,
  stateKey,
  withStore,
} from '../harness.ts';
import { byOperator } from '../records.fixture.ts';

const day = 86_400_000;
const today = Date.UTC(2026, 10, 25);
const start: FigurePosition = { dayStartsAt: 0, slug: '', caller: '', code: '' };

const figure = (change: Partial<RequestFigure> = {}): RequestFigure => ({
  accountId: 'acc_1',
  dayStartsAt: today,
  slug: 'p',
  caller: 'key_1',
  code: '',
  requests: 1,
  ...change,
});

export function requestFigures(createHarness: CreateStoreHarness): void {
  const at = withStore(createHarness);
  const list = (accountId = 'acc_1', after = start, max = 100) => at.store.listRequestFigures(accountId, after, max);

  test('figures from all processes add up and are listed in order', async () => {
    await ensureProject(at.store, stateKey());
    await ensureProject(at.store, stateKey({ accountId: 'acc_2' }));
    const beside = await at.openParallel();
    const [conflict, yesterday] = [
      figure({ code: 'version_conflict', requests: 3 }),
      figure({ dayStartsAt: today - day, caller: 'end_user', requests: 7 }),
    ];
    await at.store.addRequestFigures([conflict, figure(), yesterday, figure({ accountId: 'acc_2', requests: 9 })]);
    await beside.addRequestFigures([figure({ requests: 4 }), conflict]);
    expect(await list()).toEqual([yesterday, figure({ requests: 5 }), { ...conflict, requests: 6 }]);
    expect(await list('acc_2')).toEqual([figure({ accountId: 'acc_2', requests: 9 })]);
    await at.reopen();
    const [first] = await list('acc_1', start, 1);
    expect(await list('acc_1', first, 1)).toEqual([figure({ requests: 5 })]);
    expect(await list('acc_1', { ...conflict }, 1)).toEqual([]);
  });

  test('figures of an unknown project count without a project, and those of an unknown account are not stored', async () => {
    await ensureProject(at.store, stateKey());
    const strays = [figure({ slug: 'q' }), figure({ slug: 'r', requests: 2 }), figure({ slug: '', requests: 4 })];
    await at.store.addRequestFigures([...strays, figure({ accountId: 'acc_9' })]);
    expect(await list()).toEqual([figure({ slug: '', requests: 7 })]);
    expect(await list('acc_9')).toEqual([]);
  });

  test('existing callers have names', async () => {
    await ensureProject(at.store, stateKey());
    await ensureProject(at.store, stateKey({ accountId: 'acc_2' }));
    await at.store.createApiKey(byOperator, apiKey('key_1', { name: 'web é' }), hashOf('key_1'), 10);
    await at.store.createApiKey(byOperator, apiKey('key_2', { accountId: 'acc_2' }), hashOf('key_2'), 10);
    const names = await at.store.nameCallers('acc_1', ['key_1', 'key_2', 'key_gone', 'sa_1', 'end_user']);
    expect([...names]).toEqual([['key_1', 'web é']]);
    expect((await at.store.nameCallers('acc_1', [])).size).toBe(0);
  });

  test('figures are deleted with their project or account', async () => {
    await ensureProject(at.store, stateKey());
    await at.store.createProject(byOperator, project('q'));
    await at.store.addRequestFigures([figure(), figure({ slug: 'q' }), figure({ slug: '' })]);
    await at.store.deleteProject(byOperator, stateKey());
    await at.store.createProject(byOperator, project('p'));
    expect((await list()).map(({ slug }) => slug)).toEqual(['', 'q']);
    await at.store.deleteAccount('acc_1');
    await at.store.createAccount(account('acc_1'));
    expect(await list()).toEqual([]);
  });

  test('a sweep deletes figures of days that began before a given time', async () => {
    await ensureProject(at.store, stateKey());
    await at.store.addRequestFigures([
      figure({ dayStartsAt: today - 2 * day }),
      figure({ dayStartsAt: today - day }),
      figure(),
    ]);
    expect(await at.store.sweepRequestFigures(today - day)).toBe(1);
    expect(await at.store.sweepRequestFigures(today - day)).toBe(0);
    expect((await list()).map(({ dayStartsAt }) => dayStartsAt)).toEqual([today - day, today]);
  });
}

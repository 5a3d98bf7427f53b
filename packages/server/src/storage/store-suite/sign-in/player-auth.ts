import { expect, test, vi } from 'vitest';
import { account, type CreateStoreHarness, ensureProject, project, withStore } from '../harness.ts';
import { byOperator } from '../records.fixture.ts';

const place = { accountId: 'acc_1', slug: 'p' };

export function playerAuth(createHarness: CreateStoreHarness): void {
  const at = withStore(createHarness);

  test('settings are those last written, empty at first, and unknown without the project', async () => {
    expect(await at.store.readPlayerAuth(place)).toBeUndefined();
    expect(await at.store.writePlayerAuth(byOperator, place, '{}')).toBe('no_project');
    await at.store.createAccount(account());
    expect(await at.store.readPlayerAuth(place)).toBeUndefined();
    await at.store.createProject(byOperator, project());
    expect(await at.store.readPlayerAuth(place)).toBeNull();
    for (const text of ['{"n":1}', '{"n":2}', `{"logo":"${'x'.repeat(90_000)}"}`, '{"s":"\\ud800 \u65e5 \\u0000"}']) {
      expect(await at.store.writePlayerAuth(byOperator, place, text)).toBe('written');
      expect(await at.store.readPlayerAuth(place)).toBe(text);
      expect(await at.store.readPlayerAuth(place)).toBe(text);
    }
    await at.reopen();
    expect(await at.store.readPlayerAuth(place)).toBe('{"s":"\\ud800 \u65e5 \\u0000"}');
  });

  test('a change requires the expected settings, and of parallel changes one succeeds', async () => {
    const change = (expected: string | null, text: string) => at.store.changePlayerAuth(byOperator, place, expected, text);
    expect(await change(null, '{}')).toBe('no_project');
    await ensureProject(at.store, place);
    expect(await change('{"n":0}', '{"n":1}')).toBe('superseded');
    expect(await change(null, '{"n":1}')).toBe('written');
    expect(await change(null, '{"n":2}')).toBe('superseded');
    expect(await change('{"n":1}', '{"n":2}')).toBe('written');
    expect(await at.store.readPlayerAuth(place)).toBe('{"n":2}');
    const racing = Array.from({ length: 8 }, (_, index) => change('{"n":2}', `{"r":${index}}`));
    const outcomes = await Promise.all(racing);
    expect(outcomes.filter((outcome) => outcome === 'written')).toHaveLength(1);
    expect(await at.store.readPlayerAuth(place)).toBe(`{"r":${outcomes.indexOf('written')}}`);
    await at.store.deleteProject(byOperator, place);
    expect(await change('{"n":2}', '{}')).toBe('no_project');
    await ensureProject(at.store, place);
    const first = Array.from({ length: 8 }, (_, index) => change(null, `{"f":${index}}`));
    expect((await Promise.all(first)).filter((outcome) => outcome === 'written')).toHaveLength(1);
  });

  test('each project has its own settings', async () => {
    const others = [
      { accountId: 'acc_1', slug: 'q' },
      { accountId: 'acc_2', slug: 'p' },
    ];
    for (const each of [place, ...others]) await ensureProject(at.store, each);
    await at.store.writePlayerAuth(byOperator, place, '{"mine":1}');
    for (const other of others) expect(await at.store.readPlayerAuth(other)).toBeNull();
    expect(await at.store.findProject(place)).toEqual(project());
  });

  test('settings are deleted with the project or account, and one created again has none', async () => {
    for (const remove of [() => at.store.deleteProject(byOperator, place), () => at.store.deleteAccount('acc_1')]) {
      await ensureProject(at.store, place);
      await at.store.writePlayerAuth(byOperator, place, '{"n":1}');
      expect(await at.store.readPlayerAuth(place)).toBe('{"n":1}');
      await remove();
      expect(await at.store.readPlayerAuth(place)).toBeUndefined();
      expect(await at.store.writePlayerAuth(byOperator, place, '{"n":2}')).toBe('no_project');
      await ensureProject(at.store, place);
      expect(await at.store.readPlayerAuth(place)).toBeNull();
    }
  });

  test('a write is reported to the listeners of every process before its promise resolves', async () => {
    const beside = await at.openParallel();
    await ensureProject(at.store, place);
    expect(await at.store.readPlayerAuth(place)).toBeNull();
    const listener = vi.fn();
    at.store.onAccessChange(listener);
    const called = await at.store.writePlayerAuth(byOperator, place, '{"n":1}').then(() => listener.mock.calls.length);
    expect(called).toBeGreaterThan(0);
    expect(await at.store.readPlayerAuth(place)).toBe('{"n":1}');
    listener.mockClear();
    await beside.writePlayerAuth(byOperator, place, '{"n":2}');
    await expect.poll(() => listener.mock.calls.length, { interval: 10 }).toBeGreaterThan(0);
    expect(await at.store.readPlayerAuth(place)).toBe('{"n":2}');
  });
}

import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fillMore, fillStore, writeUser } from './migrate-store.fixture.ts';
import { readStore } from './reads.fixture.ts';
import { createStage, type Stage } from './stage.fixture.ts';

/** Returns the store that each test copies, filled once. */
let filled: Stage;
let stage: Stage;
/** Records of that store. */
let total: number;
beforeAll(async () => {
  filled = await createStage();
  await filled.use(filled.source, async (store) => {
    await fillStore(store);
    await fillMore(store);
  });
  const whole = await filled.copy(filled.source, filled.back, '--json');
  total = JSON.parse(whole.stdout).records;
});
beforeEach(async () => {
  stage = await createStage();
  cpSync(filled.source, stage.source, { recursive: true });
});
afterEach(() => stage.remove());
afterAll(() => filled.remove());

const incomplete = /holds a copy that is not complete: run the same "holdfast migrate-store" again/;

/** Each test starts a dozen processes. */
const timeout = 120_000;

describe('a killed copy', { timeout }, () => {
  it.each(['to', 'from'] as const)('%s PostgreSQL continues from any point, and cannot be opened before', async (way) => {
    const original = await stage.use(stage.source, readStore);
    if (way === 'from') expect(await stage.copy(stage.source, stage.url)).toMatchObject({ code: 0 });
    const [from, to] = way === 'to' ? [stage.source, stage.url] : [stage.url, stage.back];
    // The last one is during the comparison.
    for (const records of [1, total / 3, (2 * total) / 3, total]) {
      await stage.killCopy(from, to, records);
      if (records === total) expect(await stage.serve(to)).toMatch(incomplete);
    }
    const settings =
      way === 'from' ? { SVC_DATA_DIR: to } : { SVC_DATABASE_URL: to, SVC_SECRET_KEY: 'A'.repeat(43).concat('=') };
    expect((await stage.sandbox.run(['account', 'list'], settings)).stderr).toMatch(incomplete);
    expect((await stage.sandbox.run(['doctor'], settings)).code).toBeGreaterThan(0);
    const { stdout } = await stage.copy(from, to, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ records: total, resumedAt: total, verified: true });
    expect(await stage.use(to, readStore)).toEqual(original);
    expect(await stage.faults(to)).toEqual([]);
  });
});

describe('a copy with a cut connection', { timeout }, () => {
  it.each(['to', 'from'] as const)('%s PostgreSQL ends with instructions, and continues', async (way) => {
    if (way === 'from') expect(await stage.copy(stage.source, stage.url)).toMatchObject({ code: 0 });
    const [from, to] = way === 'to' ? [stage.source, stage.url] : [stage.url, stage.back];
    const { child, ended } = stage.sandbox.start(['migrate-store', '--from', from, '--to', to]);
    // Whichever statement of the copy is in progress.
    const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'holdfast%'
      AND datname = current_database() AND query ~ '${way === 'to' ? 'json_(populate_recordset|array_elements)' : 'LIMIT 2000'}'`;
    while (child.exitCode === null) await stage.runSql(cut);
    const { code, stderr } = await ended;
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/the copy was interrupted: .*it continues/s),
    });
    expect(await stage.copy(from, to)).toMatchObject({ code: 0, stderr: '' });
    expect(await stage.use(to, readStore)).toEqual(await stage.use(stage.source, readStore));
  });
});

/** Changes of a complete but uncompared copy, each with its reversal and the expected message. */
const differences = [
  [
    "UPDATE accounts SET name = name || 'x' WHERE account_id = 'acc_alpha'",
    "UPDATE accounts SET name = left(name, -1) WHERE account_id = 'acc_alpha'",
    '  accounts: 7 on both sides, but their checksums differ\n',
  ],
  [
    'UPDATE user_states SET version = version - 1 WHERE version = 5',
    'UPDATE user_states SET version = version + 1 WHERE version = 4',
    '  states of end users: 3,016 on both sides, but their checksums differ\n',
  ],
  [
    'UPDATE api_keys SET position = position + 1',
    'UPDATE api_keys SET position = position - 1',
    '  API keys: 6 on both sides, but their checksums differ\n',
  ],
  ['DELETE FROM spent_tickets', 'SELECT 1', '  spent tickets: 1 in the source, 0 in the copy\n'],
] as const;

describe('a difference', { timeout }, () => {
  it('planted in the copy is found, and --restart repairs it', async () => {
    await stage.killCopy(stage.source, stage.url, total);
    for (const [plant, takeBack, told] of differences) {
      await stage.runSql(plant);
      const { code, stderr } = await stage.copy(stage.source, stage.url);
      expect({ plant, code, stderr }).toEqual({ plant, code: 1, stderr: expect.stringMatching(told) });
      await stage.runSql(takeBack);
    }
    expect(await stage.serve(stage.url)).toMatch(incomplete);
    expect(await stage.copy(stage.source, stage.url, '--restart')).toMatchObject({ code: 0, stderr: '' });
    expect(await stage.use(stage.url, readStore)).toEqual(await stage.use(stage.source, readStore));
    expect(await stage.faults(stage.url)).toEqual([]);
  });

  it('that makes the copy useless is found even if the source has it too', async () => {
    const source = new DatabaseSync(join(stage.source, 'holdfast.sqlite'), { timeout: 30_000 });
    source.exec('DELETE FROM public_state_versions WHERE version = 5');
    source.close();
    const { code, stderr } = await stage.copy(stage.source, stage.url);
    const told = expect.stringMatching(/the copy is damaged: versions of acc_\w+\/\S+ are missing/);
    expect({ code, stderr }).toEqual({ code: 1, stderr: told });
    expect(await stage.serve(stage.url)).toMatch(incomplete);
  });

  it('that appears in the source during the copy is found', async () => {
    await stage.killCopy(stage.source, stage.url, total);
    const key = { accountId: 'acc_beta', slug: 'game', environment: 'production', playerId: 'new' } as const;
    await stage.use(stage.source, (store) => writeUser(store, key, 1));
    const { code, stderr } = await stage.copy(stage.source, stage.url);
    expect(code).toBe(1);
    expect(stderr).toContain('the source has changed since the copy began');
    expect(stderr).toContain('  environments: 99 on both sides, but their checksums differ\n');
    expect(stderr).toContain('  states of end users: 3,017 in the source, 3,016 in the copy\n');
    expect(await stage.serve(stage.url)).toMatch(incomplete);
  });

  it('is not sought in the copy of another store, which is refused', async () => {
    const other = join(stage.sandbox.folder, 'other');
    await stage.use(other, async () => undefined);
    for (const to of [stage.back, stage.url]) {
      await stage.killCopy(stage.source, to, 1);
      const { stderr } = await stage.copy(other, to);
      expect(stderr).toMatch(/holds an incomplete copy of another store; --restart discards it/);
      expect((await stage.copy(to, join(stage.sandbox.folder, 'next'))).stderr).toMatch(incomplete);
      expect(await stage.copy(other, to, '--restart')).toMatchObject({ code: 0, stderr: '' });
      expect(await stage.use(to, async (store) => store.isEmpty())).toBe(true);
    }
  });
});

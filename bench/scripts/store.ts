/**
 * Cost of the embedded store alone: writes and reads per second, and where the time of a write is spent. Everything is pinned to one core,
 * including the writer thread.
 *
 *     node bench/scripts/store.ts [--seconds 3] [--dir /var/tmp]
 */

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import type { NewPublicState, PublicStateKey } from '../../packages/server/src/storage/contract/public-states.ts';
import { encodeAuthor } from '../../packages/server/src/storage/history/versions.ts';
import { openForWriting } from '../../packages/server/src/storage/sqlite/directory/database.ts';
import { PublicStateWrites } from '../../packages/server/src/storage/sqlite/state/public-state-writes.ts';
import { repeatWrites } from '../../packages/server/src/storage/sqlite/state/repeats.ts';
import { openSqliteStore } from '../../packages/server/src/storage/sqlite/store.ts';
import { UsageTotals } from '../../packages/server/src/storage/sqlite/usage/usage-totals.ts';
import type { PublicStateValues } from '../../packages/server/src/storage/sqlite/writer/state-writes.ts';
import type { Store } from '../../packages/server/src/storage/store.ts';
import { aProject, byOperator } from '../../packages/server/src/storage/store-suite/records.fixture.ts';
import { runPinned } from '../../tooling/child-processes.ts';
import { createBenchAccount } from '../../tooling/load/seed.ts';
import { withFolder } from '../../tooling/workspace.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    dir: { type: 'string', default: tmpdir() },
    pinned: { type: 'boolean', default: false },
  },
});
const milliseconds = Number(values.seconds) * 1_000;

async function main(): Promise<void> {
  const sizes = Object.entries({ '2 KB': 2_048, '250 KB': 250_000 });
  for (const [label, size] of sizes) {
    for (const concurrency of [1, 64]) await withStore((store) => writes(store, label, size, concurrency));
  }
  for (const [label, size] of sizes) {
    await withStore((store) => reads(store, `cached ${label}`, size));
    await withStore((store) => reads(store, `uncached ${label}`, size), 1);
  }
  for (const [label, size] of sizes) await inDirectory((dataDir) => steps(dataDir, label, size));
}

const inDirectory = (work: (dataDir: string) => Promise<void>) => withFolder('bench', work, values.dir);

function withStore(work: (store: Store) => Promise<void>, cacheCharactersMax = 32 * 1024 * 1024): Promise<void> {
  return inDirectory(async (dataDir) => {
    const store = await openSqliteStore({ dataDir, cacheCharactersMax });
    await createBenchAccount(store);
    await work(store);
    await store.close();
  });
}

async function createProjects(store: Store, count: number): Promise<PublicStateKey[]> {
  const keys = Array.from({ length: count }, (_, i) => `project-${i}`).map(
    (slug) => ({ accountId: 'acc_bench', slug, environment: 'production' }) as const,
  );
  await Promise.all(keys.map((key) => store.createProject(byOperator, aProject({ ...key, name: key.slug, createdAt: 1 }))));
  return keys;
}

const author = { kind: 'api_key', id: 'key_1234567890123456789012', name: 'Bench' } as const;

/** A state of this many ASCII characters. */
function stateOf(characters: number): NewPublicState {
  const stateText = JSON.stringify({ data: 'x'.repeat(characters - 11) });
  return { stateText, stateBytes: characters, comment: null, writtenAt: 1, author };
}

async function writes(store: Store, label: string, size: number, concurrency: number): Promise<void> {
  const keys = await createProjects(store, concurrency);
  const next = stateOf(size);
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const cpu = process.cpuUsage();
  const start = performance.now();
  let written = 0;
  await Promise.all(
    keys.map(async (key) => {
      for (let version = 0; performance.now() - start < milliseconds; version++, written++) {
        const expected = version === 0 ? ({ kind: 'absent' } as const) : ({ kind: 'version', version } as const);
        const outcome = await store.writePublicState(key, expected, next);
        if (outcome.kind !== 'written') throw new Error(`write of version ${version + 1}: ${outcome.kind}`);
      }
    }),
  );
  const seconds = (performance.now() - start) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  const p99 = (delays.percentile(99) / 1e6).toFixed(1);
  console.log(
    `write ${label}, ${concurrency} at a time: ${Math.round(written / seconds)}/s,`,
    `${((user + system) / written).toFixed(1)} us of processor time each, event-loop delay p99 ${p99} ms`,
  );
}

async function reads(store: Store, label: string, size: number): Promise<void> {
  const keys = await createProjects(store, 64);
  for (const key of keys) await store.writePublicState(key, { kind: 'absent' }, stateOf(size));
  let read = 0;
  const start = performance.now();
  while (performance.now() - start < milliseconds) {
    for (const { accountId, slug, environment } of keys) {
      // Names as in a request: strings without a cached hash.
      const key = { accountId: ` ${accountId}`.slice(1), slug: ` ${slug}`.slice(1), environment };
      if ((await store.readPublicState(key)).kind === 'present') read++;
    }
  }
  console.log(`read ${label}: ${(((performance.now() - start) / read) * 1_000).toFixed(2)} us`);
}

/** The steps of a write in sequence, on one thread, in groups of 32. */
async function steps(dataDir: string, label: string, size: number): Promise<void> {
  const store = await openSqliteStore({ dataDir });
  await createBenchAccount(store);
  const keys = await createProjects(store, 64);
  await store.close();
  const database = openForWriting(join(dataDir, 'holdfast.sqlite'));
  const usage = new UsageTotals(database);
  const states = new PublicStateWrites(database, usage, repeatWrites(database));
  const { stateText, stateBytes } = stateOf(size);
  const authorText = encodeAuthor(author);
  const spent = { copy: 0, statements: 0, commit: 0, checkpoint: 0 };
  const timed = (step: keyof typeof spent, work: () => void) => {
    const start = performance.now();
    work();
    spent[step] += performance.now() - start;
  };
  let written = 0;
  for (const begin = performance.now(); performance.now() - begin < milliseconds; ) {
    const group = keys.slice(written % 64, (written % 64) + 32);
    const version = Math.floor(written / 64);
    const commands = group.map(({ accountId, slug }): PublicStateValues => {
      const position = [accountId, slug, 2, version || null, stateText, 0, 0, stateBytes] as const;
      return [...position, null, 1, authorText, 0, 0, undefined, undefined, undefined, undefined];
    });
    timed('copy', () => deserialize(serialize(commands)));
    database.exec('BEGIN IMMEDIATE');
    timed('statements', () => {
      for (const command of commands) states.write(command);
      usage.flush();
    });
    timed('commit', () => database.exec('COMMIT'));
    written += group.length;
    if (written % 1_024 === 0) timed('checkpoint', () => database.exec('PRAGMA wal_checkpoint(PASSIVE)'));
  }
  database.close();
  const each = Object.entries(spent).map(([step, total]) => `${step} ${((total / written) * 1_000).toFixed(1)}`);
  console.log(`steps of a write of ${label} in groups of 32, us: ${each.join(', ')}`);
}

if (values.pinned) await main();
else runPinned();

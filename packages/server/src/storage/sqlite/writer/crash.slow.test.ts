import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { PublicState, PublicStateKey } from '../../contract/public-states.ts';
import type { Store } from '../../store.ts';
import { databasePath } from '../directory/database.ts';
import { openSqliteStore } from '../store.ts';
import { temporary } from '../temporary.fixture.ts';
import { startChild } from './test-processes/child.ts';

const at = temporary();

test('a process killed during writes loses no acknowledged version, and leaves none half-written', async () => {
  const dataDir = at.directory();
  const acknowledged = new Map<string, number>();
  for (let round = 0; round < 8; round++) {
    const child = startChild('write.ts', dataDir);
    await child.line('written');
    await sleep(30 + round * 25);
    child.process.kill('SIGKILL');
    await child.ended;
    for (const line of child.lines) {
      const [word, slug = '', version] = line.split(' ');
      expect(word).toBe('written');
      // The last line may have been cut off by the kill.
      if (/^\d+$/.test(version ?? '') && line !== child.lines.at(-1)) acknowledged.set(slug, Number(version));
    }
    await checkVersions(dataDir, acknowledged);
  }
  expect([...acknowledged.values()].reduce((a, b) => a + b, 0)).toBeGreaterThan(20);
});

/** Opens the store and checks that every version up to at least the acknowledged one exists, each once. */
async function checkVersions(dataDir: string, acknowledged: ReadonlyMap<string, number>): Promise<void> {
  const store = await openSqliteStore({ dataDir });
  for (const [slug, version] of acknowledged) {
    const key = { accountId: 'acc_1', slug, environment: 'production' } as const;
    const versions = await listAll(store, key);
    const newest = versions[0]?.version ?? 0;
    expect(newest).toBeGreaterThanOrEqual(version);
    expect(versions.map((each) => each.version)).toEqual(Array.from({ length: newest }, (_, i) => newest - i));
    for (const each of versions) expect(JSON.parse(each.stateText)).toMatchObject({ version: each.version });
  }
  await store.close();
  const database = new DatabaseSync(databasePath(dataDir), { readOnly: true });
  expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  database.close();
}

/** Every version, newest first. One list is bounded, and a fast machine writes more. */
async function listAll(store: Store, key: PublicStateKey): Promise<readonly PublicState[]> {
  const all: PublicState[] = [];
  for (;;) {
    const found = await store.listPublicStateVersions(key, { before: all.at(-1)?.version ?? null, charactersMax: 1e9 });
    if (found.kind !== 'versions') throw new Error(`project ${key.slug} is gone`);
    if (found.versions.length === 0) return all;
    all.push(...found.versions);
  }
}

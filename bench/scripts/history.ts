/**
 * Cost of a page of history with large and with small documents, on both engines. Both are read in turns: at the newest version, in the
 * middle, and at the oldest.
 *
 *     node bench/scripts/history.ts [--versions 10000] [--characters 250000] [--rounds 200] [--store embedded|postgres] [--dir /var/tmp]
 */

import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import type { Expectation, PublicStateKey } from '../../packages/server/src/storage/contract/public-states.ts';
import { openPostgresStore } from '../../packages/server/src/storage/postgres/store.ts';
import { openSqliteStore } from '../../packages/server/src/storage/sqlite/store.ts';
import type { Store } from '../../packages/server/src/storage/store.ts';
import { closeRunDatabases, openRunDatabase } from '../../tooling/database.ts';
import { createBenchAccount } from '../../tooling/load/seed.ts';
import { median } from '../../tooling/statistics.ts';
import { withFolder } from '../../tooling/workspace.ts';

const { values } = parseArgs({
  options: {
    versions: { type: 'string', default: '10000' },
    characters: { type: 'string', default: '250000' },
    rounds: { type: 'string', default: '200' },
    store: { type: 'string' },
    dir: { type: 'string', default: tmpdir() },
  },
});
const versions = Number(values.versions);
const rounds = Number(values.rounds);
const itemsMax = 50;
const smallCharacters = 200;
const project = { accountId: 'acc_bench', slug: 'bench' } as const;
const large: PublicStateKey = { ...project, environment: 'production' };
const small: PublicStateKey = { ...project, environment: 'staging' };
const places = { newest: null, middle: Math.ceil(versions / 2), oldest: itemsMax + 1 } as const;

/** An incompressible document, since a store that compresses would use fewer pages. */
function documentOf(characters: number): string {
  const data = randomBytes(Math.ceil((characters * 3) / 4)).toString('base64');
  return JSON.stringify({ data: data.slice(0, characters - '{"data":""}'.length) });
}

async function fill(store: Store): Promise<void> {
  await createBenchAccount(store, project.slug);
  const author = { kind: 'api_key', id: 'key_4Zt9QmX2vKc7RbY1nLs8Wd', name: 'build server' } as const;
  for (let version = 0; version < versions; version++) {
    const expected: Expectation = version === 0 ? { kind: 'absent' } : { kind: 'version', version };
    await Promise.all(
      [large, small].map(async (key) => {
        const stateText = documentOf(key === large ? Number(values.characters) : smallCharacters);
        const next = { stateText, stateBytes: stateText.length, comment: 'nightly build', writtenAt: version, author };
        const { kind } = await store.writePublicState(key, expected, next);
        if (kind !== 'written') throw new Error(`version ${version + 1}: ${kind}`);
      }),
    );
  }
}

/** Microseconds of one page. */
async function timePage(store: Store, key: PublicStateKey, before: number | null): Promise<number> {
  const begun = performance.now();
  const page = await store.listPublicStateHistory(key, { before, itemsMax });
  const microseconds = (performance.now() - begun) * 1_000;
  if (page.kind !== 'history' || page.items.length !== Math.min(itemsMax, versions)) throw new Error('a page is not full');
  return microseconds;
}

async function compare(name: string, open: () => Promise<Store>): Promise<void> {
  const filling = await open();
  await fill(filling);
  await filling.close();
  const store = await open();
  for (const [place, before] of Object.entries(places)) {
    const costs: Record<'large' | 'small', number[]> = { large: [], small: [] };
    for (let round = 0; round < rounds; round++) {
      costs.large.push(await timePage(store, large, before));
      costs.small.push(await timePage(store, small, before));
    }
    const [ofLarge, ofSmall] = [median(costs.large), median(costs.small)];
    const [first, second] = [costs.large[0] as number, costs.small[0] as number];
    console.log(
      `${name}, ${versions} versions, a page at the ${place}: ${ofLarge.toFixed(0)} us of ${values.characters} characters each,`,
      `${ofSmall.toFixed(0)} us of ${smallCharacters}, ratio ${(ofLarge / ofSmall).toFixed(2)};`,
      `the first time ${first.toFixed(0)} and ${second.toFixed(0)} us`,
    );
  }
  await store.close();
}

try {
  if (values.store !== 'postgres') {
    const cacheCharactersMax = 1;
    const inFolder = (dataDir: string) => compare('embedded', () => openSqliteStore({ dataDir, cacheCharactersMax }));
    await withFolder('bench', inFolder, values.dir);
  }
  if (values.store !== 'embedded') {
    const { url } = await openRunDatabase();
    await compare('PostgreSQL', () => openPostgresStore({ url }));
  }
} finally {
  await closeRunDatabases();
}

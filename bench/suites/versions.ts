/** Disk space of kept versions, and the cost of reading one of many. */

import { statSync } from 'node:fs';
import { type JsonObject, parseJson, patchText, readOperations } from '@holdfast/json';
import type { PublicStateKey } from '../../packages/server/src/storage/contract/public-states.ts';
import { databasePath } from '../../packages/server/src/storage/sqlite/directory/database.ts';
import { openSqliteStore } from '../../packages/server/src/storage/sqlite/store.ts';
import type { Store } from '../../packages/server/src/storage/store.ts';
import { largeDocument, patchBody, revisionMark, smallDocument } from '../../tooling/load/documents.ts';
import { accountId, environment, seedProjects, slugOf } from '../../tooling/load/seed.ts';
import { median } from '../../tooling/statistics.ts';
import { temporaryPath } from '../../tooling/workspace.ts';
import type { Flags } from '../flags.ts';
import { count, digits, type Report, verdict } from '../report.ts';

const key: PublicStateKey = { accountId, slug: slugOf(0), environment };
const author = { kind: 'api_key', id: 'key_4Zt9QmX2vKc7RbY1nLs8Wd', name: 'build server' } as const;
/** Two versions of one run: its whole first one, and the last one. */
const runVersions = 32;

/** Turns the text of a version into the next, like a PATCH or a PUT. */
type Change = (before: string, n: number) => string;

/** Changes one member of the large document. */
const patchLarge: Change = (before, n) => {
  const body = patchBody().replace(String(revisionMark), String(revisionMark + n));
  const operations = readOperations((parseJson(body) as JsonObject).ops);
  if ('kind' in operations) throw new Error(operations.message);
  const patched = patchText(before, operations);
  if (patched.kind === 'failure') throw new Error(patched.message);
  return patched.text;
};

/** Sends the small document again, with another number. */
const putSmall: Change = (_before, n) => smallDocument.replace(String(revisionMark), String(revisionMark + n));

/** Disk space of many small changes, and reading a version in the middle of many. */
export async function measureVersions({ smoke, rounds }: Flags): Promise<Report> {
  const changes = smoke ? 50 : 1_000;
  const [large, small] = [
    await bytesOf(largeDocument, patchLarge, changes),
    await bytesOf(smallDocument, putSmall, changes),
  ];
  const versions = smoke ? 100 : 10_000;
  const reading = await measureReading(versions, smoke ? 5 : 40 * rounds);
  const disk = (name: string, bytes: number, wholeBytes: number, megabytesMax: number) => [
    `${count(changes)} × ${name}`,
    `${digits(bytes / 1e6)} MB`,
    `${digits((wholeBytes * changes) / 1e6)} MB`,
    digits(bytes / (wholeBytes * changes)),
    verdict(`≤ ${megabytesMax} MB`, bytes / 1e6 <= megabytesMax),
  ];
  const read = (name: string, microseconds: number) => [
    `version ${name}`,
    `${count(microseconds)} µs`,
    `${count(reading.whole)} µs`,
    digits(microseconds / reading.whole),
    verdict('≤ 3', microseconds / reading.whole <= 3),
  ];
  return {
    title: 'Versions that are kept',
    columns: ['case', 'measured', 'whole texts', 'ratio', 'target'],
    rows: [
      disk('PATCH of one member in 250 KB', large, largeDocument.length, 10),
      disk('PUT of 2 KB with one number changed', small, smallDocument.length, 0.4),
      read(`${count(versions / 2)} of ${count(versions)} of 250 KB`, reading.middle),
      read('the last of its run', reading.last),
    ],
    notes: [
      'Disk is what the database file has grown by when the store is closed, with authors and everything else that is kept of a version.',
      'Reading is processor time without the cache of records, against reading the version in front of them that is stored whole.',
    ],
    measurements: { large, small, reading },
  };
}

async function writeAll(store: Store, first: string, change: Change, versions: number): Promise<void> {
  let stateText = first;
  for (let version = 1; version < versions; version++) {
    stateText = change(stateText, version);
    const next = { stateText, stateBytes: Buffer.byteLength(stateText), comment: null, writtenAt: Date.now(), author };
    const { kind } = await store.writePublicState(key, { kind: 'version', version }, next);
    if (kind !== 'written') throw new Error(`version ${version + 1}: ${kind}`);
  }
}

/** How many bytes a database grows by. */
async function bytesOf(document: string, change: Change, changes: number): Promise<number> {
  const dataDir = temporaryPath('data');
  const sizeAfter = async (work: (store: Store) => Promise<unknown>) => {
    const store = await openSqliteStore({ dataDir });
    await work(store);
    await store.close();
    return statSync(databasePath(dataDir)).size;
  };
  const before = await sizeAfter((store) => seedProjects(store, { projects: 1, document, togetherMax: 1 }));
  return (await sizeAfter((store) => writeAll(store, document, change, changes + 1))) - before;
}

/** Processor time of reading versions, in microseconds. */
async function measureReading(versions: number, repetitions: number) {
  const dataDir = temporaryPath('data');
  const filling = await openSqliteStore({ dataDir });
  await seedProjects(filling, { projects: 1, document: largeDocument, togetherMax: 1 });
  await writeAll(filling, largeDocument, patchLarge, versions);
  await filling.close();
  const store = await openSqliteStore({ dataDir, cacheCharactersMax: 1 });
  const middle = versions / 2;
  const whole = middle - ((middle - 1) % runVersions);
  const wanted = { middle, whole, last: whole + runVersions - 1 };
  const costs = { middle: [] as number[], whole: [] as number[], last: [] as number[] };
  for (let n = 0; n < repetitions; n++) {
    for (const name of ['middle', 'whole', 'last'] as const) {
      const before = process.cpuUsage();
      const outcome = await store.readPublicStateVersion(key, wanted[name]);
      const { user, system } = process.cpuUsage(before);
      if (outcome.kind !== 'present') throw new Error(`version ${wanted[name]} is ${outcome.kind}`);
      costs[name].push(user + system);
    }
  }
  await store.close();
  return { middle: median(costs.middle), whole: median(costs.whole), last: median(costs.last) };
}

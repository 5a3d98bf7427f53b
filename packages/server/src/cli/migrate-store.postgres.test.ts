import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { createDatabase, dropDatabase } from '../storage/postgres/databases.fixture.ts';
import { openPostgresStore } from '../storage/postgres/store.ts';
import { faultsOf } from '../storage/sqlite/inspect.fixture.ts';
import { openSqliteStore } from '../storage/sqlite/store.ts';
import type { Store } from '../storage/store.ts';
import { createWorkplace, type Workplace } from './command.fixture.ts';
import { fillStore, readStore, writeUser } from './migrate-store.fixture.ts';

let place: Workplace;
let url: string;
let back: string;

beforeEach(async () => {
  place = await createWorkplace();
  url = await createDatabase(inject('postgresUrl'));
  back = join(place.folder, 'back');
});
afterEach(async () => {
  await place.remove();
  await dropDatabase(inject('postgresUrl'), url);
});

const migrate = (from: string, to: string, ...more: string[]) =>
  place.run(['migrate-store', '--from', from, '--to', to, ...more]);

/** Runs `work` with an open store and closes it. */
async function use<Result>(opening: Promise<Store>, work: (store: Store) => Promise<Result>): Promise<Result> {
  const store = await opening;
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const openSource = () => openSqliteStore({ dataDir: place.dataDir });
const openCopy = () => openPostgresStore({ url });
const openBack = () => openSqliteStore({ dataDir: back });

describe('a copy', () => {
  it('to PostgreSQL and back answers everything as the original does', async () => {
    await use(openSource(), fillStore);
    const original = await use(openSource(), readStore);
    expect(await migrate(place.dataDir, url)).toMatchObject({ code: 0, stderr: '' });
    expect(await use(openCopy(), readStore)).toEqual(original);
    expect(await migrate(url, `sqlite:${back}`)).toMatchObject({ code: 0, stderr: '' });
    expect(await use(openBack(), readStore)).toEqual(original);
    expect(faultsOf(back)).toEqual([]);
    expect(await use(openSource(), readStore)).toEqual(original);
  });
});

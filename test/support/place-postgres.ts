import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { holdWrites, readBytes, runSql } from '../../packages/server/src/storage/postgres/fixtures/databases.fixture.ts';
import { leaseDatabase } from '../../packages/server/src/storage/postgres/fixtures/leases.fixture.ts';
import { openPostgresStore } from '../../packages/server/src/storage/postgres/store.ts';
import { filesText, type Place } from './place.ts';

/** These tests check responses, even on a busy machine. Database faults are tested in test/nodes. */
const answerMilliseconds = 60_000;

/** Returns a place with an empty database in this run's PostgreSQL. */
export async function postgresPlace(dataDir: string): Promise<Place> {
  const { url, release } = await leaseDatabase();
  const secretKey = randomBytes(32).toString('base64');
  const openStore = () => openPostgresStore({ url, answerMilliseconds });
  return {
    dataDir,
    // Each connection costs both sides some milliseconds; these are enough for several parallel tasks.
    settings: {
      SVC_DATABASE_URL: url,
      SVC_SECRET_KEY: secretKey,
      SVC_DATABASE_CONNECTIONS: '4',
      SVC_DATABASE_ANSWER_MILLISECONDS: String(answerMilliseconds),
    },
    openStore,
    openParallel: openStore,
    secretKeyText: () => secretKey,
    storedText: async () => `${await readBytes(url)}\n${filesText(dataDir)}`,
    holdWrites: () => holdWrites(url),
    runSql: (...statements) => runSql(url, statements),
    async remove() {
      await release();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

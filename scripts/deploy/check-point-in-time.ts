/**
 * `node scripts/deploy/check-point-in-time.ts [--only litestream,postgresql]`: restores a moment as described in docs/backup.md, with a
 * service that is written to, killed and started on the restored data. Litestream is built with Go, from the Go proxy. Exits with 0 if the
 * service has exactly its data of that moment.
 */
import { parseArgs } from 'node:util';
import { throughLitestream } from './litestream.ts';
import { throughPostgresArchive } from './postgres-archive.ts';

const { values } = parseArgs({ options: { only: { type: 'string' } } });

const ways: Readonly<Record<string, () => Promise<string>>> = {
  litestream: throughLitestream,
  postgresql: throughPostgresArchive,
};

for (const name of values.only?.split(',') ?? Object.keys(ways)) {
  const way = ways[name];
  if (way === undefined) throw new Error(`--only takes ${Object.keys(ways).join(', ')}; not ${name}`);
  console.log(`${name}: ${await way()}`);
}

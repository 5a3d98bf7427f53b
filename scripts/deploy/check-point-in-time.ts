/**
 * `node scripts/deploy/check-point-in-time.ts [--only litestream,postgresql]`: goes back to a moment as docs/backup.md says, with a service
 * that is written to, killed and started on what was restored. Litestream is built with Go, from the Go proxy. Ends with 0 when the service had
 * exactly what it had at that moment.
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
  if (way === undefined) throw new Error(`--only takes ${Object.keys(ways).join(', ')}; ${name} is none of them`);
  console.log(`${name}: ${await way()}`);
}

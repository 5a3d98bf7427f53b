/** Reading small documents over PostgreSQL, compared with the driver alone. */

import { pathOf } from '../../tooling/load/seed.ts';
import { readLoad } from '../../tooling/load/wrk.ts';
import { compare } from '../compare.ts';
import type { Flags } from '../flags.ts';
import { printCpu, startOverPostgres } from '../over-postgres.ts';
import { type Report, ratioColumns, ratioRow } from '../report.ts';

const connections = 64;
const target = { target: 0.7 };

/** GET of 2 KB with an API key: one document for all connections, and one document per connection. */
export async function measurePostgresGet(flags: Flags): Promise<Report> {
  const contest = await startOverPostgres(connections, flags);
  const { baseUrl: url, apiKeys } = contest.service.ready;
  const headers = { Authorization: `ApiKey ${apiKeys[0]}` };
  const measurements = await compare(
    {
      one: contest.load({ kind: 'fixed', url: url + pathOf(0), connections, headers }),
      floorOfOne: contest.floor({ kind: 'read', loops: connections, documents: 1 }),
      many: contest.load(readLoad(url, apiKeys, connections)),
      floorOfMany: contest.floor({ kind: 'read', loops: connections, documents: connections }),
    },
    flags,
  );
  return {
    title: 'GET of a 2 KB document over PostgreSQL',
    columns: ratioColumns,
    rows: [
      ratioRow('one document, read by all connections', measurements.one, measurements.floorOfOne, target),
      ratioRow(`${connections} documents in turn`, measurements.many, measurements.floorOfMany, target),
    ],
    notes: [
      `${connections} connections, kept alive, each GET with an API key. The floor is the driver alone: ${connections} loops, each of which awaits the same prepared statement with the same values, over as many connections to the same database.`,
      `Processor time of a GET of one document: ${printCpu(measurements.one)}; of one of ${connections}: ${printCpu(measurements.many)}. Of a statement of the driver alone: ${printCpu(measurements.floorOfMany)}.`,
    ],
    measurements,
  };
}

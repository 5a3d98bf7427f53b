/** Replacing documents over PostgreSQL, compared with the driver alone and the embedded store. */

import { replacementBody, smallDocument } from '../../tooling/load/documents.ts';
import { chainLoad, type Load } from '../../tooling/load/wrk.ts';
import { compare } from '../compare.ts';
import type { Flags } from '../flags.ts';
import { printCpu, startOverPostgres } from '../over-postgres.ts';
import { printLatency, type Report, ratioColumns, ratioRow } from '../report.ts';
import { type Service, startService } from '../servers.ts';

const connections = 64;
/** By processor time: the rate also depends on the database, which is not pinned to a core. */
const target = { target: 0.7, moonshot: 0.9, byCpu: true };

/** PUT of 2 KB to 64 projects at once. */
export async function measurePostgresPut(flags: Flags): Promise<Report> {
  const contest = await startOverPostgres(connections, flags);
  const seed = { projects: connections, apiKeys: connections, document: 'small' } as const;
  const embedded = await startService({ ...seed, stores: true });
  const measurements = await compare(
    {
      postgres: contest.load(loadOf(contest.service)),
      floor: contest.floor({ kind: 'write', loops: connections, documents: connections }),
      embedded: (seconds) => embedded.measure(loadOf(embedded), seconds),
    },
    flags,
  );
  return {
    title: 'PUT over PostgreSQL, each connection to a project of its own',
    columns: ratioColumns,
    rows: [
      ratioRow('2 KB, 64 connections, PostgreSQL', measurements.postgres, measurements.floor, target),
      ratioRow('the same load on the embedded store', measurements.embedded, measurements.floor),
    ],
    notes: [
      `The floor is the driver alone: ${connections} loops, each of which awaits the same prepared statement with a document of 2 KB, over as many connections to the same database. PostgreSQL syncs every commit.`,
      `Processor time of a PUT: ${printCpu(measurements.postgres)}; of a statement of the driver alone: ${printCpu(measurements.floor)}.`,
      `Responses: over PostgreSQL ${printLatency(measurements.postgres)}; from the embedded store ${printLatency(measurements.embedded)}.`,
    ],
    measurements,
  };
}

const loadOf = ({ ready: { baseUrl, apiKeys } }: Service): Load =>
  chainLoad(baseUrl, apiKeys, 'PUT', [replacementBody(smallDocument)]);

/** Changing one member of a large document, compared with sending as many bytes from memory. */

import { patchBody } from '../../tooling/load/documents.ts';
import { pathOf } from '../../tooling/load/seed.ts';
import { chainLoad } from '../../tooling/load/wrk.ts';
import { temporaryPath } from '../../tooling/workspace.ts';
import { compare } from '../compare.ts';
import type { Flags } from '../flags.ts';
import type { PatchShares } from '../patch-shares.ts';
import { count, digits, medianOf, type Report, ratioColumns, ratioRow } from '../report.ts';
import { runProcess } from '../server-process.ts';
import { startFloor, startService } from '../servers.ts';

const connections = 8;

/** PATCH of one member in a 250 KB document, and how its time is divided. */
export async function measurePatch(flags: Flags): Promise<Report> {
  const shares = await measureShares(flags);
  const seed = { projects: connections, apiKeys: connections, document: 'large' } as const;
  const [service, storeless] = await Promise.all([
    startService({ ...seed, stores: true }, { profileFolder: flags.profileFolder }),
    startService({ ...seed, stores: false }),
  ]);
  const { apiKeys, baseUrl } = service.ready;
  const Authorization = `ApiKey ${apiKeys[0]}`;
  const floor = await startFloor(baseUrl + pathOf(0), Authorization);
  const load = (server: typeof service) => {
    const chains = chainLoad(server.ready.baseUrl, server.ready.apiKeys, 'PATCH', [patchBody()]);
    return (seconds: number) => server.measure(chains, seconds);
  };
  const sendFromMemory = (seconds: number) =>
    floor.measure({ kind: 'fixed', url: floor.ready.baseUrl, connections, headers: { Authorization } }, seconds);
  const measurements = await compare({ patch: load(service), storeless: load(storeless), floor: sendFromMemory }, flags);
  const total = medianOf(measurements.patch, (one) => one.cpuMicrosecondsPerRequest);
  return {
    title: 'PATCH of one member in a 250 KB document',
    columns: ratioColumns,
    rows: [
      ratioRow('PATCH', measurements.patch, measurements.floor, { target: 0.08, moonshot: 0.15 }),
      ratioRow('PATCH without storing', measurements.storeless, measurements.floor),
    ],
    notes: [
      `${connections} connections, each to a project of its own. The floor sends the same 250 KB from memory for a GET.`,
      `Of ${count(total)} µs of processor time for a PATCH: ${printShares(shares, total)}.`,
      `Making a value and a text of the whole document takes ${printWhole(shares)}.`,
    ],
    measurements: { ...measurements, shares },
  };
}

const measureShares = ({ smoke }: Flags): Promise<PatchShares> =>
  runProcess('patch-shares.ts', { dataDir: temporaryPath('data'), repetitions: smoke ? 20 : 400 });

function printShares({ toNewText, store }: PatchShares, total: number): string {
  const parts = { 'parse, patch and print': toNewText, store, 'HTTP and the response': total - toNewText - store };
  return Object.entries(parts)
    .map(([name, microseconds]) => `${name} ${Math.round((microseconds / total) * 100)} %`)
    .join(', ');
}

function printWhole({ whole }: PatchShares): string {
  return Object.entries(whole)
    .map(([name, microseconds]) => `${name} ${digits(microseconds)} µs`)
    .join(', ');
}

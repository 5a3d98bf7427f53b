/** Changing one member of a large document, compared with sending as many bytes from memory. */
import { once } from 'node:events';
import { patchBody, revisionMark } from '../../tooling/load/documents.ts';
import { pathOf } from '../../tooling/load/seed.ts';
import { type Chain, writeChainPlan } from '../../tooling/load/wrk.ts';
import { serverCore, spawnPinned, temporaryPath } from '../../tooling/workspace.ts';
import { compare } from '../compare.ts';
import type { Flags } from '../flags.ts';
import type { PatchShares } from '../patch-shares.ts';
import { count, digits, medianOf, type Report, ratioColumns, ratioRow } from '../report.ts';
import { startFloor, startService } from '../servers.ts';

const connections = 8;

/** PATCH of one member in a 250 KB document, and how its time is divided. */
export async function measurePatch(flags: Flags): Promise<Report> {
  const seed = { projects: connections, apiKeys: connections, document: 'large' } as const;
  const [service, storeless] = await Promise.all([
    startService({ ...seed, stores: true }, { profileFolder: flags.profileFolder }),
    startService({ ...seed, stores: false }),
  ]);
  const { apiKeys, baseUrl } = service.ready;
  const Authorization = `ApiKey ${apiKeys[0]}`;
  const floor = await startFloor(baseUrl + pathOf(0), Authorization);
  const load = (server: typeof service) => {
    const chains = server.ready.apiKeys.map(
      (apiKey, index): Chain => ({
        method: 'PATCH',
        path: pathOf(index),
        authorization: `ApiKey ${apiKey}`,
        bodies: [patchBody()],
      }),
    );
    const planFile = writeChainPlan(chains, revisionMark);
    return (seconds: number) =>
      server.measure({ kind: 'chain', url: server.ready.baseUrl, connections, planFile }, seconds);
  };
  const sendFromMemory = (seconds: number) =>
    floor.measure({ kind: 'fixed', url: floor.ready.baseUrl, connections, headers: { Authorization } }, seconds);
  const measurements = await compare({ patch: load(service), storeless: load(storeless), floor: sendFromMemory }, flags);
  await Promise.all([service.stop(), storeless.stop(), floor.stop()]);
  const shares = await measureShares(flags);
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

async function measureShares({ smoke }: Flags): Promise<PatchShares> {
  const script = `${import.meta.dirname}/../patch-shares.ts`;
  const settings = JSON.stringify({ dataDir: temporaryPath('data'), repetitions: smoke ? 20 : 400 });
  const child = spawnPinned(serverCore, [process.execPath, script, settings], {
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  const gone = once(child, 'exit');
  const answered = await Promise.race([once(child, 'message'), gone.then(() => undefined)]);
  if (answered === undefined) throw new Error('patch-shares.ts ended by itself; its last words are above');
  await gone;
  return answered[0] as PatchShares;
}

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

/** Replacing documents, compared with the same service without storing. */

import { largeDocument, replacementBody, smallDocument, unlikeDocument } from '../../tooling/load/documents.ts';
import { pathOf } from '../../tooling/load/seed.ts';
import { chainLoad } from '../../tooling/load/wrk.ts';
import { spread } from '../../tooling/statistics.ts';
import { compare } from '../compare.ts';
import type { Flags } from '../flags.ts';
import type { LoopDelay } from '../measured-process.ts';
import { digits, medianOf, printLatency, type Report, rate, ratioColumns, ratioRow } from '../report.ts';
import type { Measurement } from '../server-process.ts';
import { type Floor, type Service, startFloor, startService } from '../servers.ts';

const connectionsMax = 64;
const changedNumber = { target: 0.8, moonshot: 0.9, byCpu: true };
const changedAll = { target: 0.75, moonshot: 0.85, byCpu: true };
/** How much the 99th percentile of the event-loop delay may exceed that without storing, in milliseconds. */
const addedDelayMax = { target: 0.5, moonshot: 0 };
/** Below this, slowing down the disk has failed; a busy disk blurs the rest, and the notes give the measurement. */
const addedMillisecondsMin = 0.4;

/** The part of the text that a write replaces. */
const bodies = {
  number: [replacementBody(smallDocument)],
  everything: [replacementBody(smallDocument), replacementBody(unlikeDocument)],
  large: [replacementBody(largeDocument)],
};

/** PUT of 2 KB to 64 projects in parallel, with the normal disk and a slower one; then other sizes, for information. */
export async function measurePut(flags: Flags): Promise<Report> {
  const seed = { projects: connectionsMax, apiKeys: connectionsMax, document: 'small' } as const;
  const { profileFolder } = flags;
  const [service, slow, storeless] = await Promise.all([
    startService({ ...seed, stores: true }, { profileFolder }),
    startService({ ...seed, stores: true }, { slowSync: true }),
    startService({ ...seed, stores: false }),
  ]);
  const floor = await startFloor(service.ready.baseUrl + pathOf(0), `ApiKey ${service.ready.apiKeys[0]}`, true);
  requireSlower(slow, service);
  const load = (server: Service | Floor, changes: keyof typeof bodies = 'number', connections = connectionsMax) => {
    const { apiKeys } = 'apiKeys' in server.ready ? server.ready : service.ready;
    const chains = chainLoad(server.ready.baseUrl, apiKeys.slice(0, connections), 'PUT', bodies[changes]);
    return (seconds: number) => server.measure(chains, seconds);
  };
  const main = await compare(
    {
      service: load(service),
      storeless: load(storeless),
      everything: load(service, 'everything'),
      storelessEverything: load(storeless, 'everything'),
      slow: load(slow),
      bare: load(floor),
    },
    flags,
  );
  const others = await compare(
    {
      one: load(service, 'number', 1),
      storelessOne: load(storeless, 'number', 1),
      few: load(service, 'number', 16),
      storelessFew: load(storeless, 'number', 16),
      large: load(service, 'large', 8),
      storelessLarge: load(storeless, 'large', 8),
    },
    { ...flags, rounds: Math.ceil(flags.rounds / 2) },
  );
  return {
    title: 'PUT, each connection to a project of its own',
    columns: ratioColumns,
    rows: [
      ratioRow('2 KB, 64 connections, one number changed', main.service, main.storeless, changedNumber),
      ratioRow('2 KB, 64 connections, everything changed', main.everything, main.storelessEverything, changedAll),
      ratioRow('2 KB, 64 connections, 1 ms more for every sync', main.slow, main.storeless, { target: 0.5, moonshot: 0.7 }),
      ratioRow('2 KB, 1 connection', others.one, others.storelessOne),
      ratioRow('2 KB, 16 connections', others.few, others.storelessFew),
      ratioRow('250 KB, 8 connections', others.large, others.storelessLarge),
    ],
    notes: [
      'The floor is the same service with a store that keeps the current record in memory and answers at once.',
      `Event-loop delay at 64 connections, one number changed: ${printDelay(main.service)}; without storing: ${printDelay(main.storeless)}; with the slower disk: ${printDelay(main.slow)}.`,
      `Its 99th percentile above that without storing, round by round: ${printAddedDelay(main.service, main.storeless)}.`,
      `A sync takes at least ${digits(service.ready.syncMilliseconds)} ms here, ${digits(slow.ready.syncMilliseconds)} ms where it is slowed down.`,
      `Responses at 64 connections: ${printLatency(main.service)}; with the slower disk ${printLatency(main.slow)}.`,
      `The same load drives a bare server at ${rate(main.bare)} requests/s, so it is not the limit.`,
    ],
    measurements: { ...main, ...others },
  };
}

/** Throws an `Error` if slowing down the disk has failed. */
function requireSlower(slow: Service, service: Service): void {
  const added = slow.ready.syncMilliseconds - service.ready.syncMilliseconds;
  if (added < addedMillisecondsMin) throw new Error(`the slow disk is slower by ${digits(added)} ms instead of 1 ms`);
}

/** How much the 99th percentile of the event-loop delay exceeds that of the floor in the same rounds. */
function printAddedDelay(measured: readonly Measurement[], floor: readonly Measurement[]): string {
  const p99 = (measurement: Measurement | undefined) => measurement?.loopDelayMilliseconds.p99 ?? Number.NaN;
  const added = spread(measured.map((one, round) => p99(one) - p99(floor[round])));
  const { target, moonshot } = addedDelayMax;
  const reached = added.median <= moonshot ? `reached, and ${moonshot}` : added.median <= target ? 'reached' : 'missed';
  return `${signed(added.median)} ms (${signed(added.low)} – ${signed(added.high)}); ≤ ${target} ms ${reached}`;
}

const signed = (value: number): string => `${value < 0 ? '−' : '+'}${digits(Math.abs(value))}`;

function printDelay(measurements: readonly Measurement[]): string {
  const delay = (name: keyof LoopDelay) => medianOf(measurements, (one) => one.loopDelayMilliseconds[name]);
  return `p50 ${digits(delay('p50'))} ms, p99 ${digits(delay('p99'))} ms, max ${digits(delay('max'))} ms`;
}

/** The attacks of `npm run torture`, each with its report line. */

import { type Wanted, withRelease } from '../tooling/check-out.ts';
import type { Engine } from '../tooling/database.ts';
import type { OpenLoopReport } from '../tooling/load/open-loop.ts';
import { caddy, nginx } from '../tooling/proxies/reverse-proxy.ts';
import { quantile } from '../tooling/statistics.ts';
import { crash } from './crash.ts';
import { diskFull } from './disk-full.ts';
import { type ForeignReport, foreign } from './foreign.ts';
import { fuzz } from './fuzz.ts';
import { type NodesReport, torturedNodes } from './nodes.ts';
import { overload } from './overload.ts';
import { patchProperty } from './patch-property.ts';
import { type Count, rollingRestarts } from './restart.ts';
import type { Size } from './siege/case.ts';
import { siege } from './siege/siege.ts';
import { rowLines, tableHead } from './siege/table.ts';
import { slowConnections } from './slow-connections.ts';
import { type FollowingOptions, following } from './streams/following.ts';
import { type IdleOptions, idle } from './streams/idle.ts';
import { syncError } from './sync-error.ts';
import { type RollingOptions, rollingUpgrade } from './upgrade.ts';
import { growthMebibytesMax, versionsMemory } from './versions.ts';

export interface Outcome {
  readonly summary: string;
  readonly faults: readonly string[];
}

export interface Attack {
  readonly name: string;
  run(seed: number): Promise<Outcome>;
}

/** One engine after another. */
export async function onEach(engines: readonly Engine[], run: (engine: Engine) => Promise<Outcome>): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  for (const engine of engines) outcomes.push(await run(engine));
  const faults = outcomes.flatMap((outcome) => outcome.faults);
  return { summary: outcomes.map(({ summary }) => summary).join('; '), faults };
}

export const fuzzAttack = (cases: number): Attack => ({
  name: 'fuzz',
  run: async (seed) => {
    const { cases: done, answers, statuses, residentMebibytesPeak, faults } = await fuzz({ cases, seed });
    const counts = [...statuses].sort(([one], [two]) => one - two).map(([status, count]) => `${status}: ${count}`);
    const met = `${done} requests, ${answers} answers (${counts.join(', ')})`;
    return { summary: `${met}, server at most ${residentMebibytesPeak} MiB`, faults };
  },
});

export const crashAttack = (rounds: number): Attack => ({
  name: 'crash',
  run: async (seed) => {
    const { rounds: done, acknowledgedWrites, storedUnanswered, faults } = await crash({ rounds, seed });
    const found = `${acknowledgedWrites} acknowledged writes, ${storedUnanswered} stored without an answer`;
    return { summary: `${done} crashes, ${found}`, faults };
  },
});

export const patchAttack = (cases: number): Attack => ({
  name: 'patch',
  run: async () => {
    const { passed, output } = await patchProperty(cases);
    return { summary: `${cases} generated cases`, faults: passed ? [] : [output] };
  },
});

export const versionsAttack = (versions: number): Attack => ({
  name: 'versions',
  run: async () => {
    const { listed, listedBytes, before, growthFast, growthSlow, faults } = await versionsMemory({
      versions,
      bytes: 250_000,
    });
    const growth = `+${growthFast} MiB for a fast reader, +${growthSlow} MiB for a slow one (limit ${growthMebibytesMax})`;
    return {
      summary: `${listed} versions, ${Math.round(listedBytes / 1e6)} MB; server at ${before} MiB, ${growth}`,
      faults,
    };
  },
});

/** `isSmoke` shortens it, so that only losses, refusals in the wrong form, and leftovers count as faults. */
export const overloadAttack = (seconds: number, connections: number, isSmoke = false): Attack => ({
  name: 'overload',
  run: async (seed) => {
    const options = { seconds, connections, projects: isSmoke ? 40 : 800, seed, checksTime: !isSmoke };
    const report = await overload(options);
    const {
      capacityPerSecond,
      overload: heavy,
      calmBefore,
      calmAfter,
      residentMebibytes,
      acknowledgedWrites,
      faults,
    } = report;
    const { before, peak, after } = residentMebibytes;
    const summary = [
      `takes ${capacityPerSecond}/s, was offered ${Math.round(heavy.offered / seconds)}/s and sent ${Math.round(heavy.sent / seconds)}/s`,
      `${heavy.accepted.length} accepted (${times(heavy.accepted)}), ${heavy.refused.length} refused (${times(heavy.refused)})`,
      `calm ${times(calmBefore.accepted)} before, ${times(calmAfter.accepted)} after`,
      `${before} MiB, at most ${peak}, then ${after}`,
      `${acknowledgedWrites} acknowledged writes`,
    ].join('; ');
    return { summary, faults };
  },
});

const times = (sorted: OpenLoopReport['accepted']): string =>
  `p50 ${quantile(sorted, 0.5).toFixed(1)} ms, p99 ${quantile(sorted, 0.99).toFixed(1)} ms`;

export const slowConnectionsAttack = (connections: number, seconds: number, toleranceMilliseconds = 2): Attack => ({
  name: 'slow',
  run: async () => {
    const { baselineP99Milliseconds, modes, faults } = await slowConnections({
      connections,
      seconds,
      toleranceMilliseconds,
    });
    const found = modes.map(
      ({ mode, p99Milliseconds, residentMebibytes }) =>
        `${mode} ${p99Milliseconds.toFixed(1)} ms (${residentMebibytes} MiB)`,
    );
    const healthy = `healthy p99 ${baselineP99Milliseconds.toFixed(1)} ms alone`;
    return { summary: `${connections} slow connections: ${healthy}, beside slow ${found.join(', ')}`, faults };
  },
});

export const diskFullAttack = (rounds: number): Attack => ({
  name: 'disk',
  run: async (seed) => {
    const { acknowledgedWrites, refusedWrites, storedUnanswered, recoveryMilliseconds, faults } = await diskFull({
      rounds,
      seed,
    });
    const writes = `${acknowledgedWrites} acknowledged writes, ${refusedWrites} refused, ${storedUnanswered} of them stored`;
    return { summary: `full ${rounds} times: ${writes}; ready again after ${Math.round(recoveryMilliseconds)} ms`, faults };
  },
});

export const syncErrorAttack = (rounds: number): Attack => ({
  name: 'sync',
  run: async (seed) => {
    const report = await syncError({ rounds, seed });
    const { outages, acknowledgedWrites, refusedWrites, storedUnanswered, recoveryMilliseconds, faults } = report;
    const events = `${outages} outages, ${report.rounds} losses of power`;
    const writes = `${acknowledgedWrites} acknowledged writes, ${refusedWrites} refused, ${storedUnanswered} stored without an answer`;
    return { summary: `${events}: ${writes}; ready again after ${Math.round(recoveryMilliseconds)} ms`, faults };
  },
});

/** Prints a line for each case as soon as it is known. */
export const siegeAttack = (size: Size, engines: readonly Engine[], only?: string): Attack => ({
  name: 'siege',
  run: async (seed) => {
    process.stdout.write(tableHead);
    const rows = await siege({ size, engines, only, seed, onRow: (row) => process.stdout.write(rowLines(row)) });
    const broken = rows.filter(({ faults }) => faults.length > 0);
    return {
      summary: `${rows.length} cases, ${broken.length} broken`,
      faults: broken.map(({ name, engine, faults }) => `${name} (${engine}): ${faults.join('; ')}`),
    };
  },
});

/** Runs for `seconds` on each engine. */
export const foreignAttack = (seconds: number, engines: readonly Engine[]): Attack => ({
  name: 'foreign',
  run: async (seed) => {
    const reports: ForeignReport[] = [];
    for (const engine of engines) reports.push(await foreign(engine, seconds, seed));
    const summary = reports.map(({ engine, operations, cases, explained, faults }) => {
      const found = `${faults.length} failures`;
      return `${engine}: ${cases} cases of ${operations} operations, ${found}, beyond the description: ${counts(explained) || 'none'}`;
    });
    return { summary: summary.join('; '), faults: reports.flatMap(({ faults }) => faults) };
  },
});

/** `longestMilliseconds` limits disturbances by the network. */
export const nodesAttack = (seconds: number, isPooled: boolean, longestMilliseconds = 6_000): Attack => ({
  name: isPooled ? 'pooled' : 'nodes',
  run: async (seed) => {
    const report = await torturedNodes({ nodes: 2, seconds, isPooled, longestMilliseconds, seed });
    const { disturbances, strikes, versions, storedUnanswered, times, faults } = report;
    const summary = [
      `${versions} versions, ${storedUnanswered} of them without an answer`,
      ...[...report.operations].map(([kind, outcomes]) => `${kind} ${counts(outcomes)}`),
      `${counts(disturbances)}, ${strikes} connections struck`,
      timesOf(times),
    ].join('; ');
    return { summary, faults };
  },
});

/** A database that gets no processor for five seconds makes its nodes refuse: a busy machine spoils one of these tries, not all. */
const upgradesMax = 3;

export const upgradeAttack = (options: RollingOptions): Attack => ({
  name: 'upgrade',
  run: async () => {
    for (let tried = 1; ; tried++) {
      const { operations, faults } = await rollingUpgrade(options);
      const done = Object.entries(operations).map(([name, count]) => `${count} ${name}`);
      const summary = `from ${options.release}, node by node: ${done.join(', ')}; in try ${tried}`;
      const isRefused = faults.length > 0 && faults.every((fault) => fault.includes('503 {"error":"service_unavailable"'));
      if (!isRefused || tried === upgradesMax) return { summary, faults };
    }
  },
});

/** Both proxies in sequence, with `requests` through each. With `wanted`, the nodes run that release until they restart. */
export const restartAttack = (requests: number, rounds: number, wanted?: Wanted): Attack => ({
  name: wanted === undefined ? 'restart' : 'restart upgrade',
  run: async () => {
    const restarts = (from?: string) => rollingRestarts({ proxies: { nginx, caddy }, requests, rounds, from });
    const reports = await (wanted === undefined ? restarts() : withRelease(wanted, restarts));
    const count = ({ sent, failed, again }: Count) =>
      `${failed} of ${sent} failed${again > 0 ? `, ${again} sent again` : ''}`;
    const summary = reports.map(
      ({ proxy, restarts, seconds, reads, keyedWrites, keylessWrites }) =>
        `${proxy}, ${restarts} restarts in ${Math.round(seconds)} s: reads ${count(reads)}, keyed writes ${count(keyedWrites)}, writes without a key ${count(keylessWrites)}`,
    );
    return { summary: summary.join('; '), faults: reports.flatMap(({ faults }) => faults) };
  },
});

/** `isStrict`: whether too large times and sizes are faults. */
export const streamsAttack = (load: FollowingOptions, many: Omit<IdleOptions, 'isStrict'>, isStrict: boolean): Attack => ({
  name: 'streams',
  run: async () => {
    const followed = await following(load);
    const p99 = quantile(Float64Array.from(followed.delays), 0.99);
    const held = await idle({ ...many, isStrict });
    const { kibibytesEach, lastMilliseconds, readMilliseconds, revokedMilliseconds, expiredMilliseconds, herd } = held;
    const summary = [
      `${load.readers} readers over two nodes, one killed: ${followed.writes} writes told in ${followed.events} events over ${followed.connections} connections, ${followed.snapshots} snapshots, p99 ${Math.round(p99)} ms on the other node`,
      `${many.streams} idle: ${kibibytesEach.toFixed(1)} KiB each, a write in the last after ${Math.round(lastMilliseconds)} ms while reads wait ${Math.round(readMilliseconds)} ms`,
      `ended ${Math.round(revokedMilliseconds)} ms after a revocation, ${Math.round(expiredMilliseconds)} ms after expiry`,
      `${many.stoppedStreams} of a node that stops come back with at most ${(100 * herd).toFixed(1)} % in 100 ms`,
    ].join('; ');
    const late = isStrict && p99 > delayMillisecondsMax ? [`p99 on the other node is ${Math.round(p99)} ms`] : [];
    return { summary, faults: [...followed.faults, ...held.faults, ...late] };
  },
});

const delayMillisecondsMax = 750;

const counts = (numbers: ReadonlyMap<string, number>): string =>
  [...numbers].map(([name, count]) => `${name} ${count}`).join(', ');

const timesOf = ({ refusal, answer, outage, recoveries }: NodesReport['times']): string => {
  const longest = [...recoveries].reduce((one, other) => (other[1] > one[1] ? other : one), ['nothing', 0] as const);
  return [
    `refused within ${Math.round(refusal)} ms, answered within ${Math.round(answer)} ms`,
    `no success for at most ${Math.round(outage)} ms`,
    `recovered within ${Math.round(longest[1])} ms (from: ${longest[0]})`,
  ].join('; ');
};

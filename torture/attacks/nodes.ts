/** Attacks on several nodes over one database. */
import { type Wanted, withRelease } from '../../tooling/check-out.ts';
import { caddy, nginx } from '../../tooling/proxies/reverse-proxy.ts';
import { quantile } from '../../tooling/statistics.ts';
import { type Attack, attack, counts } from '../attack.ts';
import { type NodesReport, torturedNodes } from '../nodes.ts';
import { type Count, rollingRestarts } from '../restart.ts';
import { following } from '../streams/following.ts';
import { idle } from '../streams/idle.ts';
import { rollingUpgrade } from '../upgrade.ts';

const lastRelease = '0.1.0' as const;
/** A database that gets no processor for five seconds makes its nodes refuse: a busy machine spoils one of these tries, not all. */
const upgradesMax = 3;
const delayMillisecondsMax = 750;

/** Disturbances by the network take up to six seconds, in the smoke run one and a half. */
const faultyNodes = (option: string, isPooled: boolean, smokeSeconds: number, help: string): Attack =>
  attack({
    option,
    sizes: { seconds: 60 },
    help: [help],
    whole: ({ sizes: { seconds } }) => ({ seconds, longestMilliseconds: 6_000 }),
    smoke: { seconds: smokeSeconds, longestMilliseconds: 1_500 },
    run: async (size, seed) => {
      const report = await torturedNodes({ nodes: 2, isPooled, ...size, seed });
      const { disturbances, strikes, versions, storedUnanswered, times } = report;
      const summary = [
        `${versions} versions, ${storedUnanswered} of them without an answer`,
        ...[...report.operations].map(([kind, outcomes]) => `${kind} ${counts(outcomes)}`),
        `${counts(disturbances)}, ${strikes} connections struck`,
        timesOf(times),
      ].join('; ');
      return { summary, faults: report.faults };
    },
  });

const timesOf = ({ refusal, answer, outage, recoveries }: NodesReport['times']): string => {
  const longest = [...recoveries].reduce((one, other) => (other[1] > one[1] ? other : one), ['nothing', 0] as const);
  return [
    `refused within ${Math.round(refusal)} ms, answered within ${Math.round(answer)} ms`,
    `no success for at most ${Math.round(outage)} ms`,
    `recovered within ${Math.round(longest[1])} ms (from: ${longest[0]})`,
  ].join('; ');
};

/** Both proxies in sequence, with `requests` through each. With `wanted`, the nodes run that release until they restart. */
const restart = attack({
  option: 'restart',
  sizes: { requests: 50_000, rounds: 1 },
  takes: ['checkout'],
  help: [
    'three nodes over PostgreSQL behind nginx, then Caddy: each node restarts once under --requests',
    'reads and writes; --rounds restarts each so many times. With --upgrade beside it, the nodes are of the',
    'release before until they restart. Needs the two programs, or Debian as root',
  ],
  whole: ({ sizes, isUpgrading, checkout }) => {
    const wanted: Wanted | undefined = isUpgrading ? { release: lastRelease, checkout } : undefined;
    return { ...sizes, wanted };
  },
  run: async ({ requests, rounds, wanted }) => {
    const restarts = (from?: string) => rollingRestarts({ proxies: { nginx, caddy }, requests, rounds, from });
    const reports = await (wanted === undefined ? restarts() : withRelease(wanted, restarts));
    const count = ({ sent, failed, again }: Count) =>
      `${failed} of ${sent} failed${again > 0 ? `, ${again} sent again` : ''}`;
    const summary = reports.map(
      ({ proxy, restarts, seconds, reads, keyedWrites, keylessWrites }) =>
        `${proxy}, ${restarts} restarts in ${Math.round(seconds)} s: reads ${count(reads)}, keyed writes ${count(keyedWrites)}, writes without a key ${count(keylessWrites)}`,
    );
    const from = wanted === undefined ? [] : [`from ${wanted.release}`];
    return { summary: [...from, ...summary].join('; '), faults: reports.flatMap((report) => report.faults) };
  },
});

const upgrade = attack({
  option: 'upgrade',
  isPartOf: 'restart',
  sizes: { seconds: 10 },
  takes: ['checkout'],
  help: [
    'two nodes of the release before under load, replaced one by one by this one, in 4 stages of --seconds;',
    'takes that release out of the history of the repository, or from --checkout FOLDER',
  ],
  whole: ({ sizes, checkout }) => ({ checkout, seconds: sizes.seconds, clients: 8 }),
  smoke: { checkout: undefined, seconds: 2, clients: 4 },
  run: async (size) => {
    for (let tried = 1; ; tried++) {
      const report = await rollingUpgrade({ ...size, release: lastRelease });
      const done = Object.entries(report.operations).map(([name, count]) => `${count} ${name}`);
      const summary = `from ${lastRelease}, node by node: ${done.join(', ')}; in try ${tried}`;
      const isRefusal = (fault: string) => fault.includes('503 {"error":"service_unavailable"');
      const isRefused = report.faults.length > 0 && report.faults.every(isRefusal);
      if (!isRefused || tried === upgradesMax) return { summary, faults: report.faults };
    }
  },
});

/** `isStrict`: whether too large times and sizes are faults. */
const streams = attack({
  option: 'streams',
  help: [
    '500 readers of changes over two nodes, cut every 500 ms while one node is killed; 10,000 idle streams; a',
    'node that stops with 5,000',
  ],
  whole: () => ({
    load: { readers: 500, documents: 10, writes: 2_000, seconds: 40, cutMilliseconds: 500 },
    many: { streams: 10_000, stoppedStreams: 5_000, isStrict: true },
  }),
  smoke: {
    load: { readers: 40, documents: 4, writes: 200, seconds: 6, cutMilliseconds: 500 },
    many: { streams: 500, stoppedStreams: 250, isStrict: false },
  },
  run: async ({ load, many }) => {
    const followed = await following(load);
    const p99 = quantile(Float64Array.from(followed.delays), 0.99);
    const held = await idle(many);
    const { kibibytesEach, lastMilliseconds, readMilliseconds, revokedMilliseconds, expiredMilliseconds, herd } = held;
    const summary = [
      `${load.readers} readers over two nodes, one killed: ${followed.writes} writes told in ${followed.events} events over ${followed.connections} connections, ${followed.snapshots} snapshots, p99 ${Math.round(p99)} ms on the other node`,
      `${many.streams} idle: ${kibibytesEach.toFixed(1)} KiB each, a write in the last after ${Math.round(lastMilliseconds)} ms while reads wait ${Math.round(readMilliseconds)} ms`,
      `ended ${Math.round(revokedMilliseconds)} ms after a revocation, ${Math.round(expiredMilliseconds)} ms after expiry`,
      `${many.stoppedStreams} of a node that stops come back with at most ${(100 * herd).toFixed(1)} % in 100 ms`,
    ].join('; ');
    const late = many.isStrict && p99 > delayMillisecondsMax ? [`p99 on the other node is ${Math.round(p99)} ms`] : [];
    return { summary, faults: [...followed.faults, ...held.faults, ...late] };
  },
});

export const nodeAttacks = [
  faultyNodes('nodes', false, 12, 'two nodes over PostgreSQL, killed and cut off under 16 clients for --seconds'),
  faultyNodes('pooled', true, 8, 'the same with PgBouncer in transaction mode before the database'),
  restart,
  upgrade,
  streams,
];

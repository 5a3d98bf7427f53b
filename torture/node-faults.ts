/** Disturbances of nodes and their database. Each begins, lasts for a while, and ends. */
import type { Node, NodeStage } from '../tooling/node-stage.ts';
import type { StrikeKind } from '../tooling/proxies/tcp-proxy.ts';
import type { Random } from '../tooling/random.ts';
import { pause } from './outage.ts';

export interface Disturbance {
  readonly name: string;
  /** Resolves when the cause has ended and recovery can begin. */
  run(): Promise<void>;
}

/** How long a disturbance lasts, in milliseconds. */
interface Span {
  readonly from: number;
  readonly to: number;
}

const strikeKinds: readonly StrikeKind[] = ['cut_before', 'cut_within', 'cut_during', 'swallow_answer'];
/** A text found only in the statements that write the documents of `createRegisterClient`. */
const markOfWrites = '{"marker":';
const strikeGap = { from: 100, to: 600 };
const latencyMilliseconds = { from: 5, to: 40 };

/**
 * Every disturbance once; none of the database itself over a cluster that somebody else started. Network disturbances last at most
 * `longestMilliseconds`.
 */
export function disturbances({ cluster, nodes }: NodeStage, random: Random, longestMilliseconds: number): Disturbance[] {
  const short: Span = { from: 50, to: 1_000 };
  const long: Span = { from: 300, to: longestMilliseconds };
  /** All nodes, or one, as if only one machine were cut off. */
  const some = (): readonly Node[] => (random.oneIn(2) ? nodes : [random.pick(nodes)]);

  const restartDatabase = async (mode: 'fast' | 'immediate' | 'kill', span: Span) => {
    await cluster?.stop(mode);
    await pause(random, span);
    await cluster?.start();
  };
  const restartNode = async (node: Node) => {
    await node.kill();
    await pause(random, short);
    await node.start();
  };
  /** Disturbs some proxies until the time is over. */
  const weather = (span: Span, begin: (node: Node) => () => void) => async () => {
    const ends = some().map(begin);
    await pause(random, span);
    for (const end of ends) end();
  };
  const unreachable = ({ proxy }: Node) => {
    const end = proxy.refuse();
    proxy.cut();
    return end;
  };
  const slow = ({ proxy }: Node) => {
    const { from, to } = latencyMilliseconds;
    proxy.setLatency(from + random.below(to - from));
    return () => proxy.setLatency(0);
  };
  const cut = async () => {
    for (let times = 0; times < 3; times++) {
      for (const { proxy } of some()) proxy.cut();
      await pause(random, { from: 5, to: 100 });
    }
  };

  const all = [
    { name: 'database killed', run: () => restartDatabase('kill', short) },
    { name: 'node killed', run: () => restartNode(random.pick(nodes)) },
    { name: 'black hole', run: weather(long, ({ proxy }) => proxy.blackHole()) },
    { name: 'database stopped at once', run: () => restartDatabase('immediate', { from: 0, to: 1 }) },
    { name: 'stall', run: weather(long, ({ proxy }) => proxy.stall()) },
    { name: 'connections cut', run: cut },
    { name: 'database unreachable', run: weather(short, unreachable) },
    { name: 'slow network', run: weather(short, slow) },
    { name: 'database restarted', run: () => restartDatabase('fast', short) },
    {
      name: 'database and node killed',
      run: async () => {
        const node = random.pick(nodes);
        await Promise.all([node.kill(), restartDatabase('kill', short)]);
        await node.start();
      },
    },
  ];
  return cluster === undefined ? all.filter(({ name }) => !restarts.has(name)) : all;
}

/** The disturbances that restart the database. */
const restarts = new Set(['database killed', 'database stopped at once', 'database restarted', 'database and node killed']);

/** Strikes single connections of running nodes, now and then, until `isOver`; resolves with the number of strikes. */
export async function strikeUntil(nodes: readonly Node[], random: Random, isOver: () => boolean): Promise<number> {
  let strikes = 0;
  while (!isOver()) {
    await pause(random, strikeGap);
    const up = nodes.filter(({ isUp }) => isUp);
    if (up.length === 0) continue;
    const strike = { kind: random.pick(strikeKinds), ...(random.oneIn(3) ? {} : { contains: markOfWrites }) };
    const landed = random.pick(up).proxy.strike(strike);
    // A node killed meanwhile sends nothing; the strike then hits it after its restart, or nothing at the end.
    const counted = landed.then(
      () => strikes++,
      () => undefined,
    );
    await Promise.race([counted, pause(random, strikeGap)]);
  }
  return strikes;
}

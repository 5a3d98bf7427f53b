/** Watches the nodes' responses: content, speed, and recovery after a disturbance. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Node, NodeApi } from '../tooling/node-stage.ts';
import { startUnhindered } from '../tooling/readings.ts';
import { Counts } from '../tooling/statistics.ts';
import type { SendToNode } from './register-client.ts';

/** Promised for a service whose database is down. */
const answerMillisecondsMax = 5_000;
const recoveryMillisecondsMax = 5_000;
/** The wait for recovery ends after this, so that the rest of the run shows more. */
const recoveryPatienceMilliseconds = 15_000;
const faultsMax = 20;

export interface NodeWatch {
  /** Sends to the node, and records the response. */
  watched(api: NodeApi): SendToNode;
  count(kind: string, outcome: string): void;
  /** Records a fault. */
  note(fault: string): void;
  /** Reports the start of a disturbance. */
  disturbed(name: string): void;
  /** Reports the end of a disturbance's cause; resolves when every node has succeeded again since. */
  recovered(name: string): Promise<void>;
  faults(): string[];
  readonly operations: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** The longest of each, in unhindered milliseconds. */
  readonly times: {
    /** From the request to a 503, and to any response. */
    readonly refusal: number;
    readonly answer: number;
    /** Without success on any node. */
    readonly outage: number;
    /** From the end of a disturbance to the first success of each node, by disturbance. */
    readonly recoveries: ReadonlyMap<string, number>;
  };
}

export function createNodeWatch(nodes: readonly Node[]): NodeWatch {
  const operations = new Map<string, Counts>();
  const faults: string[] = [];
  const lastSuccess = new Map<Node, number>();
  const times = { refusal: 0, answer: 0, outage: 0, recoveries: new Map<string, number>() };
  let disturbance = 'nothing';
  let anySuccessAt = performance.now();
  let faultsLeftOut = 0;

  const note = (fault: string) => {
    if (faults.length < faultsMax) faults.push(`${fault} (last disturbance: ${disturbance})`);
    else faultsLeftOut++;
  };
  const noteAnswer = (node: Node, status: number, milliseconds: number) => {
    const now = performance.now();
    times.answer = Math.max(times.answer, milliseconds);
    if (status === 503) times.refusal = Math.max(times.refusal, milliseconds);
    if (milliseconds > answerMillisecondsMax) {
      note(`${node.name} answered ${status} after ${Math.round(milliseconds)} ms`);
    }
    if (status >= 300) return;
    times.outage = Math.max(times.outage, now - anySuccessAt);
    anySuccessAt = now;
    lastSuccess.set(node, now);
  };
  const recovered = async (name: string) => {
    const since = performance.now();
    const elapsed = startUnhindered(...nodes.map(({ server }) => server.pid), 'self');
    const waiting = () => nodes.filter((node) => (lastSuccess.get(node) ?? 0) <= since);
    while (waiting().length > 0 && elapsed() < recoveryPatienceMilliseconds) {
      await sleep(5);
    }
    const names = waiting().map((node) => node.name);
    const milliseconds = elapsed();
    times.recoveries.set(name, Math.max(times.recoveries.get(name) ?? 0, milliseconds));
    if (names.length > 0) note(`${names.join(' and ')} did not recover from: ${name}`);
    else if (milliseconds > recoveryMillisecondsMax) note(`recovering from ${name} took ${Math.round(milliseconds)} ms`);
  };
  return {
    watched:
      ({ node, send }) =>
      async (method, path, options) => {
        const elapsed = startUnhindered(node.server.pid, 'self');
        const answer = await send(method, path, options);
        if (answer !== undefined) noteAnswer(node, answer.status, elapsed());
        return answer;
      },
    count: (kind, outcome) => {
      const counts = operations.get(kind) ?? new Counts();
      counts.add(outcome);
      operations.set(kind, counts);
    },
    note,
    disturbed: (name) => {
      disturbance = name;
    },
    recovered,
    faults: () => (faultsLeftOut === 0 ? faults : [...faults, `and ${faultsLeftOut} more like these`]),
    operations,
    times,
  };
}

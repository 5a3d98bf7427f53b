/**
 * Memory for incomplete request heads. If they take too much in total, connections are ended: from the addresses whose heads take the most,
 * oldest first.
 */
import type { Connection } from './connections.ts';
import { headerBytesMax } from './parser-errors.ts';

const defaultBytesMax = 16 * 1024 * 1024;
/** The part of the memory that one address may take. */
const addressShare = 1 / 4;
const inspectionIntervalMilliseconds = 50;
/** Connections ended by one inspection, at 20 µs each. */
const endedMax = 256;

export interface HeadBudgetOptions {
  /** The number of all connections. */
  readonly count: () => number;
  /** Connections that may have sent part of a head. */
  readonly unfinished: () => Iterable<Connection>;
  /** Whether an address belongs to a proxy, which carries many clients' heads. */
  readonly isProxy: (address: string) => boolean;
  readonly bytesMax?: number;
}

export interface HeadBudget {
  /** Call this for each accepted connection. If there are few connections, their heads are not checked: they cannot take too much. */
  watch(): void;
}

/** The memory of the heads of one address, or of one proxy connection. */
interface Sum {
  readonly isShared: boolean;
  bytes: number;
}

interface Head {
  readonly connection: Connection;
  readonly bytes: number;
  readonly sum: Sum;
}

/** Returns the budget of one listen target. Heads are checked only while they could exceed it. */
export function createHeadBudget(options: HeadBudgetOptions): HeadBudget {
  const { count, bytesMax = defaultBytesMax } = options;
  let timer: NodeJS.Timeout | undefined;
  const canTakeTooMuch = () => count() * headerBytesMax > bytesMax * addressShare;

  function inspect(): void {
    if (!canTakeTooMuch()) {
      stop();
      return;
    }
    const heads = unfinishedHeads(options);
    let bytes = heads.reduce((sum, head) => sum + head.bytes, 0);
    let ended = 0;
    for (const { connection, bytes: freed, sum } of inOrder(heads)) {
      if (bytes <= bytesMax && (sum.isShared || sum.bytes <= bytesMax * addressShare)) continue;
      bytes -= freed;
      sum.bytes -= freed;
      connection.socket.destroy();
      if (++ended === endedMax) return;
    }
  }

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }

  return {
    watch() {
      if (timer !== undefined || !canTakeTooMuch()) return;
      timer = setInterval(inspect, inspectionIntervalMilliseconds);
      timer.unref();
    },
  };
}

function unfinishedHeads({ unfinished, isProxy }: HeadBudgetOptions): Head[] {
  const sums = new Map<string, Sum>();
  const heads: Head[] = [];
  for (const connection of unfinished()) {
    const { socket, address } = connection;
    const bytes = Math.min(socket.bytesRead, headerBytesMax); // after an earlier request, an overestimate
    if (bytes === 0) continue;
    const isShared = isProxy(socket.remoteAddress ?? '');
    const sum = (isShared ? undefined : sums.get(address)) ?? { isShared, bytes: 0 };
    sums.set(address, sum);
    sum.bytes += bytes;
    heads.push({ connection, bytes, sum });
  }
  return heads;
}

/** The heads in the order in which their connections are ended. */
function inOrder(heads: readonly Head[]): Head[] {
  const sizes = new Map(heads.map(({ sum }) => [sum, sum.bytes]));
  const sizeOf = ({ sum }: Head) => sizes.get(sum) ?? 0;
  return heads.toSorted((a, b) => sizeOf(b) - sizeOf(a) || a.connection.acceptedAt - b.connection.acceptedAt);
}

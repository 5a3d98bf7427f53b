/**
 * Requests at a fixed rate of arrival, regardless of earlier ones. A closed loop, which waits for each response before the next request,
 * slows down with the server and cannot overload it.
 */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Counts } from '../statistics.ts';

export interface OpenLoopRequest {
  /** The request as sent. */
  readonly wire: string;
  /** Receives the response; `head` contains the status line and the headers. */
  onAnswer?(status: number, head: string, body: string): void;
}

export interface OpenLoopOptions {
  readonly port: number;
  readonly perSecond: number;
  readonly seconds: number;
  /** Maximum number of pending requests. Further ones are dropped here, as by an impatient client or a proxy. */
  readonly connectionsMax: number;
  next(): OpenLoopRequest;
}

export interface OpenLoopReport {
  readonly offered: number;
  readonly sent: number;
  /** Arrivals without a free connection, or late because this process was behind its schedule. */
  readonly turnedAway: number;
  readonly statuses: ReadonlyMap<number, number>;
  /** Requests whose connection broke before the response. */
  readonly lost: number;
  /** Milliseconds from arrival to the complete response, sorted. */
  readonly accepted: Float64Array;
  readonly refused: Float64Array;
  /** Some of the responses that are neither a success nor a correct refusal. */
  readonly faults: readonly string[];
}

interface Connection {
  readonly socket: Socket;
  request: OpenLoopRequest | undefined;
  arrivedAt: number;
  received: string;
}

/** Arrivals later than this are dropped: they would measure this process more than the server. */
const latenessMillisecondsMax = 50;
/** Wait for pending responses after the last arrival. */
const patienceMilliseconds = 10_000;

/** Sends the requests and resolves when the last was answered or given up. */
export async function offer(options: OpenLoopOptions): Promise<OpenLoopReport> {
  const tally = createTally();
  const free: Connection[] = [];
  const all = new Set<Connection>();

  const release = (connection: Connection) => {
    connection.request = undefined;
    free.push(connection);
  };
  const open = (): Connection => {
    const connection: Connection = {
      socket: connect(options.port, '127.0.0.1'),
      request: undefined,
      arrivedAt: 0,
      received: '',
    };
    connection.socket.setNoDelay(true).setEncoding('latin1');
    connection.socket.on('data', (piece: string) => {
      connection.received = connection.received === '' ? piece : connection.received + piece;
      if (takeAnswer(connection, tally)) release(connection);
    });
    connection.socket.on('error', () => connection.socket.destroy());
    connection.socket.on('close', () => {
      all.delete(connection);
      if (connection.request !== undefined) tally.lost++;
      else free.splice(free.indexOf(connection), 1);
    });
    all.add(connection);
    return connection;
  };
  const arrive = (arrivedAt: number) => {
    tally.offered++;
    const connection = free.pop() ?? (all.size < options.connectionsMax ? open() : undefined);
    if (connection === undefined || performance.now() - arrivedAt > latenessMillisecondsMax) {
      tally.turnedAway++;
      if (connection !== undefined) free.push(connection);
      return;
    }
    connection.arrivedAt = arrivedAt;
    connection.request = options.next();
    connection.socket.write(connection.request.wire, 'latin1');
    tally.sent++;
  };

  await schedule(options, arrive);
  const givenUpAt = performance.now() + patienceMilliseconds;
  while (all.size > free.length && performance.now() < givenUpAt) await sleep(10);
  for (const { socket } of all) socket.destroy();
  await sleep(10);
  return tally.report();
}

/** Calls `arrive` at its times, several together if this process was busy. */
async function schedule({ perSecond, seconds }: OpenLoopOptions, arrive: (arrivedAt: number) => void): Promise<void> {
  const begunAt = performance.now();
  const arrivals = Math.round(perSecond * seconds);
  for (let arrival = 0; arrival < arrivals; ) {
    const due = Math.min(arrivals, ((performance.now() - begunAt) / 1000) * perSecond);
    while (arrival < due) arrive(begunAt + (arrival++ / perSecond) * 1000);
    await sleep(1);
  }
}

function createTally() {
  const accepted: number[] = [];
  const refused: number[] = [];
  const statuses = new Counts<number>();
  const faults: string[] = [];
  return {
    offered: 0,
    sent: 0,
    turnedAway: 0,
    lost: 0,
    note(status: number, milliseconds: number, head: string) {
      statuses.add(status);
      (status < 300 ? accepted : refused).push(milliseconds);
      const isRefusal = (status === 503 || status === 429) && /\r\nRetry-After: [1-9]/i.test(head);
      if (status >= 300 && !isRefusal && faults.length < 5) faults.push(`unexpected answer: ${head.slice(0, 300)}`);
    },
    report(): OpenLoopReport {
      const { offered, sent, turnedAway, lost } = this;
      const sorted = (numbers: number[]) => Float64Array.from(numbers).sort();
      return { offered, sent, turnedAway, lost, statuses, accepted: sorted(accepted), refused: sorted(refused), faults };
    },
  };
}

/** Takes a response off the connection; returns whether it was complete. */
function takeAnswer(connection: Connection, tally: ReturnType<typeof createTally>): boolean {
  const { received, request } = connection;
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return false;
  const status = Number(received.slice(9, 12));
  const marker = received.indexOf('Content-Length: ');
  const length = marker < 0 || marker > headEnd ? 0 : Number.parseInt(received.slice(marker + 16, marker + 24), 10);
  if (received.length < headEnd + 4 + length) return false;
  connection.received = '';
  if (request === undefined) return false; // unsolicited, before the server closes
  tally.note(status, performance.now() - connection.arrivedAt, received.slice(0, headEnd));
  request.onAnswer?.(status, received.slice(0, headEnd), received.slice(headEnd + 4));
  return true;
}

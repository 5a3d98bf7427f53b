/** Limits the reading in one turn of the event loop, and chooses the connections to read first. */
import { performance } from 'node:perf_hooks';
import type { Connection } from './connections.ts';

/** How long the reads of one turn may take before the rest waits. */
const readMilliseconds = 8;
/** The same while connections come: each turn accepts only a few of them. */
const readWhileAcceptingMilliseconds = 3;
/** The clock is read once for this many heads and pieces of bodies. */
const readsPerClockCheck = 8;
/**
 * Connections that resume in one turn. They are paused again if their reads take too long, so these numbers bound only the cost of pausing
 * and resuming.
 */
const resumedMax = {
  /** Those that have had a response, the longest paused first. */
  known: 32,
  /** Those that were never read: in turns the newest, which need not wait for thousands before it, and the oldest. */
  unread: 24,
  /** Those that send a head or a body, the longest paused first. */
  sending: 8,
  /** Those with a response under way, such as change streams, the longest paused first: most have nothing to read. */
  answering: 256,
} as const;
type ReadState = keyof typeof resumedMax;

/**
 * The runtime reads every ready socket, one after another, before anything else runs. Thousands of connections that send, or hang up, at
 * one moment would hold the event loop for hundreds of milliseconds. Once the reads of one turn have taken some time, the other sockets are
 * therefore paused, and some resume in each of the next turns.
 */
class ReadTurns {
  readonly #listeners = new Set<Iterable<Connection>>();
  /** Paused connections by their last activity, the longest paused first. */
  readonly #paused: Readonly<Record<ReadState, Connection[]>> = { known: [], unread: [], sending: [], answering: [] };
  #pausedCount = 0;
  #reads = 0;
  #turn = -1;
  #begunAt = 0;
  /** The last turn in which a connection was accepted. */
  #acceptedIn = -1;

  /** Pauses connections of one more listener, until the returned function is called. */
  add(connections: Iterable<Connection>): () => void {
    this.#listeners.add(connections);
    return () => this.#listeners.delete(connections);
  }

  /** Call this for each head of a request, each piece of a body, and each end of a connection. */
  readonly noteRead = (): void => {
    if (++this.#reads % readsPerClockCheck !== 0) return;
    const { loopCount } = performance.nodeTiming.uvMetricsInfo;
    const now = performance.now();
    if (loopCount !== this.#turn) {
      this.#turn = loopCount;
      this.#begunAt = now;
      return;
    }
    const accepts = this.#acceptedIn >= loopCount - 1;
    if (now - this.#begunAt <= (accepts ? readWhileAcceptingMilliseconds : readMilliseconds)) return;
    this.#begunAt = Number.POSITIVE_INFINITY; // once a turn
    this.#pauseOthers();
  };

  /** Call this for each accepted connection. */
  noteConnection(): void {
    this.#acceptedIn = performance.nodeTiming.uvMetricsInfo.loopCount;
  }

  #pauseOthers(): void {
    if (this.#pausedCount === 0) setImmediate(this.#resumeNext);
    for (const connections of this.#listeners) {
      for (const connection of connections) {
        const { socket, current, waiting } = connection;
        if (socket.isPaused() || waiting > 0) continue;
        // Whatever paused a body resumes it.
        if (current?.req.complete === false && current.req.readableFlowing !== true) continue;
        socket.pause();
        this.#paused[readStateOf(connection)].push(connection);
        this.#pausedCount++;
      }
    }
    this.#paused.unread.sort((one, other) => one.acceptedAt - other.acceptedAt);
  }

  readonly #resumeNext = (): void => {
    const { known, unread, sending, answering } = this.#paused;
    this.#resume(known.splice(0, resumedMax.known));
    this.#resume(takeFromBothEnds(unread, resumedMax.unread));
    this.#resume(sending.splice(0, resumedMax.sending));
    this.#resume(answering.splice(0, resumedMax.answering));
    if (this.#pausedCount > 0) setImmediate(this.#resumeNext);
  };

  #resume(connections: readonly Connection[]): void {
    this.#pausedCount -= connections.length;
    for (const connection of connections) resumeReading(connection);
  }
}

/** Takes this many elements off both ends of a list: the last one, the first one, the next to last one … */
function takeFromBothEnds<Element>(list: Element[], count: number): Element[] {
  const last = list.splice(-Math.ceil(count / 2)).reverse();
  const first = list.splice(0, Math.floor(count / 2));
  return last.flatMap((element, index) => [element, ...first.slice(index, index + 1)]);
}

function readStateOf({ socket, current, isAnswering }: Connection): ReadState {
  if (current?.req.complete === true) return isAnswering ? 'answering' : 'known';
  return current === undefined && socket.bytesRead === 0 ? 'unread' : 'sending';
}

function resumeReading({ socket, current }: Connection): void {
  const isBodyPaused = current?.req.complete === false && current.req.readableFlowing === false;
  if (!socket.destroyed && !isBodyPaused) socket.resume();
}

export const readTurns = new ReadTurns();
export const { noteRead } = readTurns;

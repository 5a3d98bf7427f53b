/** Limits socket reads in one turn of the event loop, and chooses which connections to read first. */

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

/** A connection, as far as its reads matter. */
interface ReadConnection {
  readonly socket: Socket;
  /** Milliseconds. */
  readonly acceptedAt: number;
  /** The response that is being sent, or the last one sent; undefined until the first request. */
  readonly current: ServerResponse | undefined;
  /** Requests that arrived after the request of `current`. */
  readonly waiting: number;
  /** Whether a response is unfinished. */
  readonly isAnswering: boolean;
}

/** The time for reads in one turn; the rest then waits. */
const readMilliseconds = 8;
/** The same limit while connections arrive: each turn accepts only a few of them. */
const readWhileAcceptingMilliseconds = 3;
/** Heads and body pieces between two looks at the clock. */
const readsPerClockCheck = 8;
/**
 * Connections that resume in one turn. They are paused again if their reads take too long, so these numbers limit only the cost of pausing
 * and resuming.
 */
const resumedMax = {
  /** Connections that have had a response, longest paused first. */
  known: 32,
  /**
   * Connections that were never read, taken alternately from both ends: the newest, which then do not wait for thousands before them, and
   * the oldest.
   */
  unread: 24,
  /** Connections that are sending a head or a body, longest paused first. */
  sending: 8,
  /** Connections with a response under way, such as change streams, longest paused first: most have nothing to read. */
  answering: 256,
} as const;
type ReadState = keyof typeof resumedMax;

/**
 * The runtime reads all ready sockets in sequence before anything else runs. If thousands of connections send, or hang up, at one moment,
 * that would hold the event loop for hundreds of milliseconds. Once the reads of a turn have taken some time, the remaining sockets are
 * therefore paused, and some resume in each later turn.
 */
class ReadTurns {
  readonly #listeners = new Set<Iterable<ReadConnection>>();
  /** Paused connections by their last activity, longest paused first. */
  readonly #paused: Readonly<Record<ReadState, ReadConnection[]>> = { known: [], unread: [], sending: [], answering: [] };
  #pausedCount = 0;
  #reads = 0;
  #turn = -1;
  #begunAt = 0;
  /** The last turn in which a connection was accepted. */
  #acceptedIn = -1;

  /** Manages the connections of one more listener until the returned function is called. */
  add(connections: Iterable<ReadConnection>): () => void {
    this.#listeners.add(connections);
    return () => this.#listeners.delete(connections);
  }

  /** Call this for each request head, body piece and connection end. */
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
        // If something else paused the body, that also resumes it.
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

  #resume(connections: readonly ReadConnection[]): void {
    this.#pausedCount -= connections.length;
    for (const connection of connections) resumeReading(connection);
  }
}

/** Takes this many elements from both ends of a list: the last, the first, the next to last … */
function takeFromBothEnds<Element>(list: Element[], count: number): Element[] {
  const last = list.splice(-Math.ceil(count / 2)).reverse();
  const first = list.splice(0, Math.floor(count / 2));
  return last.flatMap((element, index) => [element, ...first.slice(index, index + 1)]);
}

function readStateOf({ socket, current, isAnswering }: ReadConnection): ReadState {
  if (current?.req.complete === true) return isAnswering ? 'answering' : 'known';
  return current === undefined && socket.bytesRead === 0 ? 'unread' : 'sending';
}

function resumeReading({ socket, current }: ReadConnection): void {
  const isBodyPaused = current?.req.complete === false && current.req.readableFlowing === false;
  if (!socket.destroyed && !isBodyPaused) socket.resume();
}

export const readTurns = new ReadTurns();
export const { noteRead } = readTurns;

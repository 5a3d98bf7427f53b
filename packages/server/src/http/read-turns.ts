/**
 * The runtime reads every socket that is ready, one after the other, before anything else runs. Thousands of connections that send at
 * one moment would hold the event loop for hundreds of milliseconds. So once those of one turn have taken some time, the others are
 * paused, and some of them go on in each of the next turns.
 */
import { performance } from 'node:perf_hooks';
import type { Connection } from './connections.ts';

/** What is read in one turn may take so long; then the rest waits. */
const turnMilliseconds = 8;
/** The time is looked at once for so many heads and pieces of bodies. */
const readsPerLook = 8;
/** Connections that go on in one turn. Half of them have had an answer before, as long as there are such. */
const resumedMax = 64;

export class ReadTurns {
  readonly #listeners = new Set<Iterable<Connection>>();
  /** Paused connections that had an answer before, and those that did not, the oldest last. */
  readonly #known: Connection[] = [];
  readonly #fresh: Connection[] = [];
  #reads = 0;
  #turn = -1;
  #begunAt = 0;

  /** Pauses connections of a listener, too, until the returned function is called. */
  add(connections: Iterable<Connection>): () => void {
    this.#listeners.add(connections);
    return () => this.#listeners.delete(connections);
  }

  /** To be called for each head of a request and each piece of a body. */
  noteRead(): void {
    if (++this.#reads % readsPerLook !== 0) return;
    const { loopCount } = performance.nodeTiming.uvMetricsInfo;
    const now = performance.now();
    if (loopCount !== this.#turn) {
      this.#turn = loopCount;
      this.#begunAt = now;
    } else if (now - this.#begunAt > turnMilliseconds) {
      this.#begunAt = Number.POSITIVE_INFINITY; // once a turn
      this.#pauseOthers();
    }
  }

  #pauseOthers(): void {
    if (this.#known.length + this.#fresh.length === 0) setImmediate(this.#goOn);
    const [known, fresh]: [Connection[], Connection[]] = [[], []];
    for (const connections of this.#listeners) {
      for (const connection of connections) {
        if (!mayPause(connection)) continue;
        connection.socket.pause();
        (connection.current?.req.complete === true ? known : fresh).push(connection);
      }
    }
    this.#known.unshift(...known.reverse());
    this.#fresh.unshift(...fresh.reverse());
  }

  readonly #goOn = (): void => {
    const known = this.#known.splice(-Math.max(resumedMax / 2, resumedMax - this.#fresh.length));
    for (const connection of known) goOnReading(connection);
    for (const connection of this.#fresh.splice(known.length - resumedMax)) goOnReading(connection);
    if (this.#known.length + this.#fresh.length > 0) setImmediate(this.#goOn);
  };
}

/** A connection on which nothing but a change stream is sent says only that it ends; what a body is paused for goes on by itself. */
function mayPause({ socket, current, waiting, isAnswering }: Connection): boolean {
  if (socket.isPaused() || waiting > 0) return false;
  if (current?.req.complete === false) return current.req.readableFlowing === true;
  return !isAnswering;
}

function goOnReading({ socket, current }: Connection): void {
  const isBodyPaused = current?.req.complete === false && current.req.readableFlowing === false;
  if (!socket.destroyed && !isBodyPaused) socket.resume();
}

/** There is one event loop. */
export const readTurns = new ReadTurns();

/**
 * Refuses requests that cannot be served soon, so that accepted ones can be: a service that accepts everything when over capacity answers
 * everything too late. Watches two queues without timers: requests that wait for the event loop, and writes under way. An idle service has
 * empty queues and pays nothing for them.
 */

import type { IncomingMessage } from 'node:http';
import { storageRetryAfterSeconds } from '@holdfast/contract';
import { Refusal } from '../common/requests/refusal.ts';
import { loopTurns, type Turns } from '../common/turns/turns.ts';
import { declaredBytes } from './node/message.ts';
import { stopBodies } from './node/node-internals.ts';

/**
 * Requests served on arrival in one turn of the event loop. Further requests wait until every ready socket has been read. A connection
 * whose request is waiting sends nothing more, so a turn always ends, however many connections exist.
 */
const turnRequestsMax = 256;
/** Time per turn for serving requests on arrival. */
const arrivalMillisecondsMax = 12;
/** Time for serving queued requests before sockets, timers and the writer get their next turn. */
const serveMilliseconds = 12;
/** A turn serves at most 1.5 times as many requests as this time allowed in recent turns. */
const servedShare = 1.5;
const servedMin = 16;
/** Time per turn for serving urgent queued requests. */
const urgentMilliseconds = 8;
/** Time per turn for refusing requests before any are served. */
const refuseMilliseconds = 4;
/** No request joins the queue if clearing the queue would take longer than this at its recent speed. */
const waitMillisecondsMax = 100;
/** Shorter queues are never refused: the time of a few requests says little about the next ones. */
const waitingMin = 256;
/** The most bytes that the bodies of waiting requests may take in total. */
const queuedBodyBytesMax = 16 * 1024 * 1024;
/** The assumed time per request before any has been measured. */
const millisecondsEachAtFirst = 0.1;

/**
 * Writes that may always be under way. More are allowed if writes finish fast enough that the last one waits no longer than
 * `writeWaitSeconds`, and up to `writeBurstMax` in total if none was refused within the last second.
 */
const writesMin = 64;
const writeBurstMax = 256;
const burstPauseMilliseconds = 1_000;
const writeWaitSeconds = 0.25;
/** Additional writes for accounts that are below their share. */
const writesBeyondMax = 256;
/** The period over which the rate of finished writes is measured. */
const rateMilliseconds = 100;
/** The weight of the newest measurement in the average. */
const newestShare = 0.3;

export interface Admission {
  /**
   * Returns whether a request that arrived at `time`, the current time, is served immediately. Call it once per request, and call `queue`
   * if it returns false.
   */
  admits(time: number): boolean;
  /**
   * Queues a request and later calls `answer` with whether to serve it. Urgent requests are served first. Returns whether a body of
   * `bodyBytes` may wait in memory; if the bodies of waiting requests take too much, the request must be refused.
   */
  queue(answer: (isAdmitted: boolean) => void, isUrgent?: boolean, bodyBytes?: number): boolean;
  /**
   * Refuses `service_unavailable` if too many writes are under way, unless the account is below its share: the limit divided by the number
   * of writing accounts.
   */
  checkWrite(account: string): void;
  /** Counts an account's write until `endWrite`. Throws the error of `checkWrite`. */
  beginWrite(account: string): void;
  endWrite(account: string): void;
}

type Answer = (isAdmitted: boolean) => void;

/** `now` returns milliseconds of any clock; in tests, `turns` use the same clock. */
export function createAdmission(now: () => number, turns: Turns = loopTurns): Admission {
  return { ...createRequestQueue(now, turns), ...createWriteCount(now) };
}

function createRequestQueue(now: () => number, turns: Turns): Pick<Admission, 'admits' | 'queue'> {
  let requestsInTurn = 0;
  let turnBeganAt = 0;
  const queueUrgent = createUrgentQueue(now);
  let waiting: Answer[] = [];
  let refused: Answer[] = [];
  let queuedBodyBytes = 0;
  /** The last turn, if it left requests waiting. The time until the next turn is what serving its requests took. */
  let busyTurn: { readonly endedAt: number; readonly served: number; readonly rested: number } | undefined;
  let millisecondsEach = millisecondsEachAtFirst;

  function beginTurn(time: number): void {
    turnBeganAt = time;
    turns.nextTurn(endTurn); // runs once every ready socket has been read
  }

  function admits(time: number): boolean {
    if (requestsInTurn++ === 0) beginTurn(time);
    else if (turns.rests()) return false;
    else if (time - turnBeganAt >= arrivalMillisecondsMax) return false;
    return requestsInTurn <= turnRequestsMax && waiting.length === 0;
  }

  function queue(answer: Answer, isUrgent = false, bodyBytes = 0): boolean {
    if (bodyBytes > 0) return queueWithBody(answer, bodyBytes);
    if (isUrgent) queueUrgent(answer);
    else if (waiting.length >= waitingMin && waiting.length * millisecondsEach > waitMillisecondsMax) refused.push(answer);
    else waiting.push(answer);
    return true;
  }

  function queueWithBody(answer: Answer, bodyBytes: number): boolean {
    if (queuedBodyBytes + bodyBytes > queuedBodyBytesMax) {
      refused.push(answer);
      return false;
    }
    queuedBodyBytes += bodyBytes;
    return queue((isAdmitted) => {
      queuedBodyBytes -= bodyBytes;
      answer(isAdmitted);
    });
  }

  function endTurn(): void {
    requestsInTurn = 0;
    refused = drain(refused, false, refuseMilliseconds, now);
    const time = now();
    // If the last turn left no requests waiting, there is nothing to measure, and earlier measurements fade.
    const rested = turns.restedMilliseconds();
    const measured =
      busyTurn === undefined
        ? millisecondsEachAtFirst
        : (time - busyTurn.endedAt - (rested - busyTurn.rested)) / busyTurn.served;
    millisecondsEach += (measured - millisecondsEach) * newestShare;
    busyTurn = undefined;
    const before = waiting.length;
    // The time measured here excludes work that requests do after waiting for the store.
    const most = Math.max(servedMin, Math.ceil((servedShare * serveMilliseconds) / millisecondsEach));
    waiting = drain(waiting, true, serveMilliseconds, now, most);
    if (waiting.length > 0) busyTurn = { endedAt: time, served: before - waiting.length, rested };
    if (waiting.length + refused.length > 0 && requestsInTurn++ === 0) beginTurn(now());
  }

  return { admits, queue };
}

/** Urgent requests do not wait for connections to be accepted; other requests do. */
function createUrgentQueue(now: () => number): (answer: Answer) => void {
  let urgent: Answer[] = [];

  function serve(): void {
    urgent = drain(urgent, true, urgentMilliseconds, now);
    if (urgent.length > 0) setImmediate(serve);
  }

  return (answer) => {
    if (urgent.push(answer) === 1) setImmediate(serve);
  };
}

/** Answers requests from the front, at least one, until the time is up. Returns the remaining requests. */
function drain(
  queued: Answer[],
  isAdmitted: boolean,
  milliseconds: number,
  now: () => number,
  most = queued.length,
): Answer[] {
  if (queued.length === 0) return queued;
  const endsAt = now() + milliseconds;
  let answered = 0;
  do queued[answered++]?.(isAdmitted);
  while (answered < queued.length && answered < most && now() < endsAt);
  return queued.slice(answered);
}

function createWriteCount(now: () => number): Pick<Admission, 'checkWrite' | 'beginWrite' | 'endWrite'> {
  const writesOf = new Map<string, number>();
  const writes = { underWay: 0, finished: 0, perSecond: 0, countedSince: now(), refusedAt: Number.NEGATIVE_INFINITY };

  function updateRate(time: number): void {
    const milliseconds = time - writes.countedSince;
    if (milliseconds < rateMilliseconds) return;
    const perSecond = (writes.finished / milliseconds) * 1000;
    writes.perSecond += (perSecond - writes.perSecond) * newestShare;
    writes.finished = 0;
    writes.countedSince = time;
  }

  function checkWrite(account: string): void {
    if (writes.underWay < writesMin) return;
    const time = now();
    updateRate(time);
    const least = time - writes.refusedAt > burstPauseMilliseconds ? writeBurstMax : writesMin;
    const most = Math.max(least, writes.perSecond * writeWaitSeconds);
    if (writes.underWay < most) return;
    if (writes.underWay < most + writesBeyondMax && isBelowShare(account, most)) return;
    writes.refusedAt = time;
    throw overloaded();
  }

  function isBelowShare(account: string, most: number): boolean {
    const own = writesOf.get(account);
    const accounts = writesOf.size + (own === undefined ? 1 : 0);
    return (own ?? 0) < Math.max(most / accounts, 1);
  }

  return {
    checkWrite,
    beginWrite(account) {
      checkWrite(account);
      writes.underWay++;
      writesOf.set(account, (writesOf.get(account) ?? 0) + 1);
    },
    endWrite(account) {
      writes.underWay--;
      writes.finished++;
      const left = (writesOf.get(account) ?? 0) - 1;
      if (left > 0) writesOf.set(account, left);
      else writesOf.delete(account);
    },
  };
}

/** The refusal of a request that was not accepted and had no effect. */
export function overloaded(): Refusal {
  return new Refusal('service_unavailable', 'the service is overloaded; repeat the request unchanged later', {
    retryAfterSeconds: storageRetryAfterSeconds,
  });
}

/** Health checks are always accepted: a restart does not cure overload. */
const healthPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/** Bytes of a waiting request's body that the runtime may have read: two pieces. */
const unreadBytesMax = 2 * 65_536;

/**
 * Queues a request and reads as little of its body as possible in the meantime. A body that may not wait is discarded on arrival, so its
 * connection must end with the response; `isBodyLost` records this.
 */
export function queueRequest(
  admission: Admission,
  request: IncomingMessage,
  answer: (isAdmitted: boolean, isBodyLost: boolean) => void,
): void {
  const bodyBytes = Math.min(declaredBytes(request), unreadBytesMax);
  let isBodyLost = false;
  const answerWaiting = (isAdmitted: boolean) => {
    answer(isAdmitted, isBodyLost);
    if (bodyBytes > 0 && !isBodyLost) request.socket.resume();
  };
  isBodyLost = !admission.queue(answerWaiting, healthPaths.has(request.url ?? ''), bodyBytes);
  if (isBodyLost) stopBodies(request.socket);
  else if (bodyBytes > 0) stopReading(request);
}

/** Pauses the socket of a request whose body is not yet read, so that the request's buffer does not fill. */
function stopReading(request: IncomingMessage): void {
  queueMicrotask(() => {
    if (!request.complete && request.readableFlowing !== true) request.socket.pause();
  });
}

/**
 * Turns away what cannot be served soon, so that what is let in can: beyond its capacity a service that accepts everything
 * answers everything too late. Two queues are watched, both without a timer: requests that wait for the event loop, and writes
 * under way. At rest both are empty and cost nothing.
 */
import type { IncomingMessage } from 'node:http';
import { storageRetryAfterSeconds } from '@holdfast/contract';
import { Refusal } from '../common/refusal.ts';
import { goOnReading, stopReading } from './intake-turns.ts';
import { declaredBytes } from './message.ts';

/**
 * Requests that one turn of the event loop serves as they come. Whatever else it meets waits until every ready socket has been
 * looked at, and is answered then: a connection that waits sends nothing further, so a turn ends, however many there are.
 */
const turnRequestsMax = 256;
/** How long one turn serves requests as they come. */
const arrivalMillisecondsMax = 12;
/** How long requests from the queue are served before sockets, timers and the writer have their turn again. */
const serveMilliseconds = 12;
/** How long requests are refused before that. */
const refuseMilliseconds = 4;
/** Nothing further is let in while the queue would take longer than this, as fast as it has moved lately. */
const waitMillisecondsMax = 100;
/** A queue that is shorter is taken for none: what was measured of a few requests says little of the next ones. */
const waitingMin = 256;
/** What bodies of requests that wait may take together. */
const queuedBodyBytesMax = 16 * 1024 * 1024;
/** What a request is thought to take before any has been measured. */
const millisecondsEachAtFirst = 0.1;

/**
 * So many writes may be under way at any time; more when they are finished so fast that the last waits no longer than
 * `writeWaitSeconds`; and `writeBurstMax` that come at once, if none had to be refused within the last second.
 */
const writesMin = 64;
const writeBurstMax = 256;
const burstRestMilliseconds = 1_000;
const writeWaitSeconds = 0.25;
/** What accounts may have beyond that, which found the places taken by others. */
const writesBeyondMax = 256;
/** Over which the rate of finished writes is taken. */
const rateMilliseconds = 100;
/** How much the newest measurement counts beside the older ones. */
const newestShare = 0.3;

export interface Admission {
  /** Whether a request that arrived at `time`, which is now, is served at once; to be asked once for each. If not, `queue` comes next. */
  admits(time: number): boolean;
  /**
   * Has a request answered later: `answer` is called with whether it is to be served. One that is urgent is served first. One whose
   * body takes `bodyBytes` of memory meanwhile is refused at once where all that wait take too much.
   */
  queue(answer: (isAdmitted: boolean) => void, isUrgent?: boolean, bodyBytes?: number): void;
  /**
   * Refuses `service_unavailable` when too many writes are under way, unless the account has less than its share of them: so
   * many divided by the accounts that write.
   */
  checkWrite(account: string): void;
  /** Runs a write of an account, counted while it is under way. Rejects as `checkWrite` refuses, and as the write does. */
  write<Result>(account: string, run: () => Result | Promise<Result>): Promise<Result>;
}

type Answer = (isAdmitted: boolean) => void;

/** `now` is in milliseconds, of any clock. */
export function createAdmission(now: () => number): Admission {
  return { ...createRequestQueue(now), ...createWriteCount(now) };
}

function createRequestQueue(now: () => number): Pick<Admission, 'admits' | 'queue'> {
  let requestsInTurn = 0;
  let turnBeganAt = 0;
  let urgent: Answer[] = [];
  let waiting: Answer[] = [];
  let refused: Answer[] = [];
  let queuedBodyBytes = 0;
  /** The last turn, if it left some waiting; the time until the next one is what those that it served took. */
  let busyTurn: { readonly endedAt: number; readonly served: number } | undefined;
  let millisecondsEach = millisecondsEachAtFirst;

  function beginTurn(time: number): void {
    turnBeganAt = time;
    setImmediate(endTurn); // runs when every socket that was ready has been looked at
  }

  function admits(time: number): boolean {
    if (requestsInTurn++ === 0) beginTurn(time);
    else if (time - turnBeganAt >= arrivalMillisecondsMax) return false;
    return requestsInTurn <= turnRequestsMax && waiting.length === 0;
  }

  function queue(answer: Answer, isUrgent = false, bodyBytes = 0): void {
    if (bodyBytes > 0) queueWithBody(answer, bodyBytes);
    else if (isUrgent) urgent.push(answer);
    else if (waiting.length >= waitingMin && waiting.length * millisecondsEach > waitMillisecondsMax) refused.push(answer);
    else waiting.push(answer);
  }

  function queueWithBody(answer: Answer, bodyBytes: number): void {
    if (queuedBodyBytes + bodyBytes > queuedBodyBytesMax) {
      answer(false);
      return;
    }
    queuedBodyBytes += bodyBytes;
    queue((isAdmitted) => {
      queuedBodyBytes -= bodyBytes;
      answer(isAdmitted);
    });
  }

  function endTurn(): void {
    requestsInTurn = 0;
    refused = drain(refused, false, refuseMilliseconds);
    const time = now();
    // After a turn that left nobody waiting there is nothing to measure, and what was measured before is forgotten by and by.
    const measured = busyTurn === undefined ? millisecondsEachAtFirst : (time - busyTurn.endedAt) / busyTurn.served;
    millisecondsEach += (measured - millisecondsEach) * newestShare;
    busyTurn = undefined;
    urgent = drain(urgent, true, serveMilliseconds);
    const before = waiting.length;
    waiting = drain(waiting, true, serveMilliseconds - (now() - time));
    if (waiting.length > 0) busyTurn = { endedAt: time, served: before - waiting.length };
    if (waiting.length + urgent.length + refused.length > 0 && requestsInTurn++ === 0) beginTurn(now());
  }

  /** Answers from the front for so long, and at least one; returns what is left. */
  function drain(queued: Answer[], isAdmitted: boolean, milliseconds: number): Answer[] {
    if (queued.length === 0) return queued;
    const endsAt = now() + milliseconds;
    let answered = 0;
    do queued[answered++]?.(isAdmitted);
    while (answered < queued.length && now() < endsAt);
    return queued.slice(answered);
  }

  return { admits, queue };
}

function createWriteCount(now: () => number): Pick<Admission, 'checkWrite' | 'write'> {
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
    const least = time - writes.refusedAt > burstRestMilliseconds ? writeBurstMax : writesMin;
    const most = Math.max(least, writes.perSecond * writeWaitSeconds);
    if (writes.underWay < most) return;
    if (writes.underWay < most + writesBeyondMax && hasLessThanItsShare(account, most)) return;
    writes.refusedAt = time;
    throw overloaded();
  }

  function hasLessThanItsShare(account: string, most: number): boolean {
    const own = writesOf.get(account);
    const accounts = writesOf.size + (own === undefined ? 1 : 0);
    return (own ?? 0) < Math.max(most / accounts, 1);
  }

  function end(account: string): void {
    writes.underWay--;
    writes.finished++;
    const left = (writesOf.get(account) ?? 0) - 1;
    if (left > 0) writesOf.set(account, left);
    else writesOf.delete(account);
  }

  return {
    checkWrite,
    async write(account, run) {
      checkWrite(account);
      writes.underWay++;
      writesOf.set(account, (writesOf.get(account) ?? 0) + 1);
      try {
        return await run();
      } finally {
        end(account);
      }
    },
  };
}

/** What is said to a request that is not let in; nothing of it was carried out. */
export function overloaded(): Refusal {
  return new Refusal('service_unavailable', 'the service has more to do than it can; repeat the request unchanged later', {
    retryAfterSeconds: storageRetryAfterSeconds,
  });
}

/** Whoever watches over the process is always let in: a restart cures no overload. */
const healthPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/** What the runtime may have read of the body of a request that waits: a piece, and what is behind it. */
const unreadBytesMax = 2 * 65_536;

/** Has a request answered later. As little as can be is read of its body meanwhile. */
export function queueRequest(admission: Admission, request: IncomingMessage, answer: Answer): void {
  const bodyBytes = Math.min(declaredBytes(request), unreadBytesMax);
  if (bodyBytes > 0) stopReading(request);
  const answerWaiting = (isAdmitted: boolean) => {
    answer(isAdmitted);
    if (bodyBytes > 0) goOnReading(request);
  };
  admission.queue(answerWaiting, healthPaths.has(request.url ?? ''), bodyBytes);
}

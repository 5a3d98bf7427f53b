/**
 * Refuses requests that cannot be served soon, so that accepted ones can be: over its capacity, a service that accepts everything answers
 * everything too late. Two queues are watched, both without a timer: requests that wait for the event loop, and writes under way. At rest
 * both are empty and cost nothing.
 */
import type { IncomingMessage } from 'node:http';
import { storageRetryAfterSeconds } from '@holdfast/contract';
import { Refusal } from '../common/refusal.ts';
import { loopTurns, type Turns } from './event-loop.ts';
import { continueReading, stopReading } from './intake.ts';
import { declaredBytes } from './message.ts';
import { stopBodies } from './node-internals.ts';

/**
 * Requests that one turn of the event loop serves as they come. Further requests wait until every ready socket has been read. A connection
 * with a waiting request sends nothing more, so a turn ends, however many connections there are.
 */
const turnRequestsMax = 256;
/** How long one turn serves requests as they come. */
const arrivalMillisecondsMax = 12;
/** How long queued requests are served before sockets, timers and the writer have their turn again. */
const serveMilliseconds = 12;
/** A turn serves at most as many requests as this time allowed in the last turns, and half as many again. */
const servedShare = 1.5;
const servedMin = 16;
/** How long urgent queued requests are served in one turn. */
const urgentMilliseconds = 8;
/** How long a turn refuses requests before it serves any. */
const refuseMilliseconds = 4;
/** No request joins the queue while the queue would take longer than this, at its speed of the last turns. */
const waitMillisecondsMax = 100;
/** A shorter queue does not count: the time that a few requests took says little about the next ones. */
const waitingMin = 256;
/** The most that bodies of waiting requests may take together. */
const queuedBodyBytesMax = 16 * 1024 * 1024;
/** The assumed time of a request before any has been measured. */
const millisecondsEachAtFirst = 0.1;

/**
 * Writes that may always be under way. More are allowed if they finish so fast that the last one waits no longer than `writeWaitSeconds`,
 * and `writeBurstMax` together if none was refused within the last second.
 */
const writesMin = 64;
const writeBurstMax = 256;
const burstPauseMilliseconds = 1_000;
const writeWaitSeconds = 0.25;
/** Writes over that, for accounts with less than their share. */
const writesBeyondMax = 256;
/** The time over which the rate of finished writes is measured. */
const rateMilliseconds = 100;
/** The weight of the newest measurement against the older ones. */
const newestShare = 0.3;

export interface Admission {
  /**
   * Whether a request that arrived at `time`, which is now, is served immediately. Call it once for each request, and `queue` if it returns
   * false.
   */
  admits(time: number): boolean;
  /**
   * Queues a request: `answer` is called later with whether to serve it. Urgent requests are served first. Returns whether a body of
   * `bodyBytes` may wait in memory: if the bodies of all waiting requests take too much, the request must be refused.
   */
  queue(answer: (isAdmitted: boolean) => void, isUrgent?: boolean, bodyBytes?: number): boolean;
  /**
   * Refuses `service_unavailable` if too many writes are under way, unless the account has less than its share: that many divided by the
   * accounts that write.
   */
  checkWrite(account: string): void;
  /**
   * Runs a write of an account and counts it while it is under way. Rejects with the error of `checkWrite` or of the write.
   */
  write<Result>(account: string, run: () => Result | Promise<Result>): Promise<Result>;
}

type Answer = (isAdmitted: boolean) => void;

/** `now` is in milliseconds, of any clock; in tests, `turns` use the same clock. */
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
  /** The last turn, if it left requests waiting. The time until the next turn is the time that the served ones took. */
  let busyTurn: { readonly endedAt: number; readonly served: number; readonly rested: number } | undefined;
  let millisecondsEach = millisecondsEachAtFirst;

  function beginTurn(time: number): void {
    turnBeganAt = time;
    turns.nextTurn(endTurn); // runs when every socket that was ready has been read
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
    // After a turn that left no request waiting there is nothing to measure, and earlier measurements fade.
    const rested = turns.restedMilliseconds();
    const measured =
      busyTurn === undefined
        ? millisecondsEachAtFirst
        : (time - busyTurn.endedAt - (rested - busyTurn.rested)) / busyTurn.served;
    millisecondsEach += (measured - millisecondsEach) * newestShare;
    busyTurn = undefined;
    const before = waiting.length;
    // What requests do after waiting for the store is not part of the time measured here.
    const most = Math.max(servedMin, Math.ceil((servedShare * serveMilliseconds) / millisecondsEach));
    waiting = drain(waiting, true, serveMilliseconds, now, most);
    if (waiting.length > 0) busyTurn = { endedAt: time, served: before - waiting.length, rested };
    if (waiting.length + refused.length > 0 && requestsInTurn++ === 0) beginTurn(now());
  }

  return { admits, queue };
}

/** Unlike others, urgent requests do not wait until connections are accepted. */
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

/** Answers requests from the front, at least one, until the time is up. Returns the rest. */
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

/** The refusal of a request that was not accepted and has had no effect. */
export function overloaded(): Refusal {
  return new Refusal('service_unavailable', 'the service is overloaded; repeat the request unchanged later', {
    retryAfterSeconds: storageRetryAfterSeconds,
  });
}

/** Health checks are always accepted: a restart does not cure overload. */
const healthPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/** Bytes that the runtime may have read of a waiting request's body: one piece, and the next. */
const unreadBytesMax = 2 * 65_536;

/**
 * Queues a request. While it waits, as little as possible of its body is read. A body that may not wait is discarded as it arrives, so its
 * connection must end with the response; `isBodyLost` says so.
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
    if (bodyBytes > 0 && !isBodyLost) continueReading(request);
  };
  isBodyLost = !admission.queue(answerWaiting, healthPaths.has(request.url ?? ''), bodyBytes);
  if (isBodyLost) stopBodies(request.socket);
  else if (bodyBytes > 0) stopReading(request);
}

/**
 * The queue of mails. Each is stored before its first try, and retried with growing pauses until a server accepts it, the server rejects it
 * for good, or its content expires. It survives a restart, and any node continues another's work. A mail that was never sent no longer
 * counts towards its limits.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Sealer } from '../../../common/secrets/sealer.ts';
import type { ClaimedMail, MailState } from '../../../storage/contract/mails.ts';
import type { Store } from '../../../storage/store.ts';
import type { Charge, Throttles } from '../throttles.ts';
import { type Mailer, MailFault } from './mail.ts';
import type { MailCounts } from './mail-counts.ts';
import type { MailDraft, RenderMail } from './mail-drafts.ts';

/** A mail to send. */
export interface OutgoingMail {
  /** SHA-256 of the secret in it. A later mail with the same hash replaces it. */
  readonly mailHash: Uint8Array;
  /** The account that the mail belongs to; null for the developers' directory. */
  readonly accountId: string | null;
  /** The key of the address in that directory; null if the recipient is not in it. */
  readonly emailKey: string | null;
  readonly draft: MailDraft;
  /** When its content expires. */
  readonly expiresAt: number;
  /** The limits that counted it. */
  readonly charges: readonly Charge[];
}

/** The state of a mail as a page shows it: sent, being tried until some time, or failed. */
export type MailStatus =
  | { readonly kind: 'sent' }
  | { readonly kind: 'waiting'; readonly until: number }
  | { readonly kind: 'failed' };

export interface MailQueue {
  /**
   * Stores a mail, and returns a function that tries it for the first time; undefined, with its charges refunded, if too many mails wait or
   * its account was deleted. Throws `StoreUnavailable`.
   */
  add(mail: OutgoingMail): Promise<(() => Promise<void>) | undefined>;
  /**
   * Gives up the oldest waiting mail to the address with these charges, and refunds them; false if there is none. A mail that was never
   * sent does not count against requesting another. Throws `StoreUnavailable`.
   */
  dropOldest(mail: Pick<OutgoingMail, 'accountId' | 'charges'> & { readonly emailKey: string }): Promise<boolean>;
  /** Returns the state of a mail. With `isPatient`, waits up to two seconds for its first try. Throws `StoreUnavailable`. */
  statusOf(mailHash: Uint8Array, isPatient: boolean): Promise<MailStatus>;
  /** Looks for mails that an earlier process or another node left, now and every minute. */
  start(): void;
  /** Tries the mails that are due. Never rejects. */
  sendDue(): Promise<void>;
  /** Starts no more tries, and resolves when none is under way. */
  close(): Promise<void>;
}

export interface MailQueueOptions {
  readonly store: Pick<Store, 'addMail' | 'listDueMails' | 'listMailsTo' | 'claimMail' | 'settleMail' | 'findMail'>;
  readonly mailer: Mailer;
  readonly renderMail: RenderMail;
  /** Seals waiting mails. */
  readonly seals: Sealer;
  readonly throttles: Pick<Throttles, 'refund'>;
  readonly counts: MailCounts;
  readonly now: () => number;
  /** Called with the reason why a mail could not be sent. */
  readonly onFault: (fault: unknown) => void;
}

/** A few kilobytes each. */
const bounds = { waitingMax: 10_000, waitingInDirectoryMax: 5_000 };
/** Longer than a server usually takes. Afterwards other nodes try the mail, since its sender has probably stopped. */
const claimMilliseconds = 60_000;
/** Before the second try; doubles with each further try. */
const pauseMilliseconds = 30_000;
const pauseMillisecondsMax = 60 * 60_000;
/** The last try of a mail is this long before its content expires. */
const lastMilliseconds = 60_000;
const pollMilliseconds = 60_000;
/** Minimum time between two polls. */
const pauseMillisecondsMin = 5_000;
const dueMax = 200;
const runningMax = 4;
/** How long a page waits for the first try of its mail, and how often it looks. */
const statusPollMilliseconds = [0, 25, 75, 200, 400, 600, 700];

interface Content {
  readonly letter: MailDraft;
  readonly charges: readonly Charge[];
}

const recordOf = (mailHash: Uint8Array): string => Buffer.from(mailHash).toString('hex');

/** Returns the queue. It looks for mails once it was started or a mail was added. */
export function createMailQueue(options: MailQueueOptions): MailQueue {
  const { store, seals, now, onFault } = options;
  const delivery = createDelivery(options);
  const wakeTimer = createWakeTimer(now, () => void sendDue());
  let sending: Promise<void> | undefined;
  let isClosed = false;

  function sendDue(): Promise<void> {
    if (isClosed) return Promise.resolve();
    sending ??= tryDue(options, delivery, () => isClosed)
      .catch((fault) => {
        onFault(fault);
        return now() + pollMilliseconds; // the store cannot be reached
      })
      .then((nextAt) => {
        sending = undefined;
        if (nextAt !== undefined) wakeTimer.wakeAt(nextAt);
      });
    return sending;
  }

  return {
    async add({ mailHash, accountId, emailKey, draft, expiresAt, charges }) {
      const content: Content = { letter: draft, charges };
      const sealedMail = seals.seal(Buffer.from(JSON.stringify(content)), recordOf(mailHash));
      const mail = { mailHash, accountId, emailKey, sealedMail, expiresAt };
      const outcome = await store.addMail(mail, now() + claimMilliseconds, bounds).catch(async (fault) => {
        await delivery.refund(charges);
        throw fault;
      });
      if (outcome.kind !== 'added') {
        await delivery.refund(charges);
        return undefined;
      }
      const { dueAt, replaced } = outcome;
      if (replaced !== undefined) await delivery.refund(delivery.open(mailHash, replaced)?.charges ?? []);
      wakeTimer.wakeAt(dueAt); // in case nobody tries it
      return async () => {
        if (isClosed || dueAt <= now()) return; // other nodes try it
        const { nextAt } = await delivery.attempt({ mailHash, dueAt, sealedMail, failures: 0, expiresAt });
        if (nextAt !== undefined) wakeTimer.wakeAt(nextAt);
      };
    },
    async dropOldest({ accountId, emailKey, charges }) {
      const counted = JSON.stringify(charges);
      for (const mail of await store.listMailsTo(accountId, emailKey)) {
        const content = delivery.open(mail.mailHash, mail.sealedMail);
        if (content === undefined || JSON.stringify(content.charges) !== counted) continue;
        const claimed = await store.claimMail(mail.mailHash, mail.dueAt, Math.max(mail.dueAt, now()) + claimMilliseconds);
        if (claimed === undefined || (await store.settleMail(claimed, { kind: 'failed' })) === 'lost') continue;
        await delivery.refund(content.charges);
        return true;
      }
      return false;
    },
    statusOf: (mailHash, isPatient) => statusOf(async () => store.findMail(mailHash, now()), isPatient),
    start() {
      void sendDue();
      wakeTimer.wakeEvery(pollMilliseconds);
    },
    sendDue,
    async close() {
      isClosed = true;
      wakeTimer.stop();
      await sending;
      await delivery.settled();
    },
  };
}

/**
 * Tries the mails that are due, a few at a time, until a server cannot be reached. Returns when to look again, if any mail waits. Throws
 * `StoreUnavailable`.
 */
async function tryDue(
  { store, counts, now }: MailQueueOptions,
  delivery: ReturnType<typeof createDelivery>,
  isClosed: () => boolean,
): Promise<number | undefined> {
  const { due, nextAt, waiting } = await store.listDueMails(now(), dueMax);
  counts.waiting = waiting;
  const left = due.values();
  let isReachable = true;
  const tryInTurn = async () => {
    for (const { mailHash } of left) {
      if (isClosed() || !isReachable) return;
      if (delivery.isBusyWith(mailHash)) continue;
      const claimed = await store.claimMail(mailHash, now(), now() + claimMilliseconds);
      if (claimed !== undefined && !(await delivery.attempt(claimed)).isReachable) isReachable = false;
    }
  };
  await Promise.all(Array.from({ length: runningMax }, tryInTurn));
  return due.length > 0 ? now() : nextAt;
}

async function statusOf(find: () => Promise<MailState | undefined>, isPatient: boolean): Promise<MailStatus> {
  let status: MailStatus = { kind: 'sent' };
  for (const pause of isPatient ? statusPollMilliseconds : [0]) {
    await sleep(pause);
    const state = await find();
    if (state === undefined) return { kind: 'sent' };
    if (state.kind === 'failed') return state;
    status = { kind: 'waiting', until: state.expiresAt };
    if (state.failures > 0) break;
  }
  return status;
}

/** The outcome of a try. `nextAt` is when the mail is tried again. */
interface Tried {
  readonly isReachable: boolean;
  readonly nextAt?: number;
}

const over: Tried = { isReachable: true };

/** Returns when a mail that was rejected at `now` is tried again; undefined if that would be too late. */
function nextTry(now: number, failures: number, expiresAt: number): number | undefined {
  const pause = Math.min(pauseMilliseconds * 2 ** failures, pauseMillisecondsMax);
  const dueAt = Math.min(now + pause, expiresAt - lastMilliseconds);
  return dueAt < now + pauseMilliseconds ? undefined : dueAt;
}

/** Returns a sender of claimed mails that knows which are being tried. */
function createDelivery({ store, mailer, renderMail, seals, throttles, counts, now, onFault }: MailQueueOptions) {
  const running = new Map<string, Promise<unknown>>();

  function open(mailHash: Uint8Array, sealedMail: Uint8Array): Content | undefined {
    try {
      return JSON.parse(Buffer.from(seals.open(sealedMail, recordOf(mailHash))).toString()) as Content;
    } catch (fault) {
      onFault(fault); // sealed with a secret key that was removed
      return undefined;
    }
  }

  async function refund(charges: readonly Charge[]): Promise<void> {
    await throttles.refund(charges).catch(onFault);
  }

  async function send(claimed: ClaimedMail): Promise<Tried> {
    const { mailHash, sealedMail, expiresAt, failures } = claimed;
    const content = open(mailHash, sealedMail);
    if (content === undefined) {
      await store.settleMail(claimed, { kind: 'failed' });
      return over;
    }
    const mail = expiresAt <= now() ? undefined : await renderMail(content.letter, mailHash);
    try {
      if (mail !== undefined) await mailer.send(mail);
    } catch (fault) {
      if (!(fault instanceof MailFault)) throw fault;
      const dueAt = nextTry(now(), failures, expiresAt);
      const isOver = fault.isFinal || dueAt === undefined;
      counts[isOver ? 'failed' : 'postponed'] += 1;
      onFault(fault);
      if (isOver) await refund(content.charges); // before anybody can read that it failed
      const settled = await store.settleMail(claimed, isOver ? { kind: 'failed' } : { kind: 'postponed', dueAt });
      if (settled === 'lost' && !isOver) await refund(content.charges);
      return { isReachable: !fault.isUnreachable, ...(!isOver && { nextAt: dueAt }) };
    }
    if (mail !== undefined) counts.sent += 1;
    await store.settleMail(claimed, { kind: 'sent' });
    if (mail === undefined) await refund(content.charges); // no longer needed
    return over;
  }

  return {
    open,
    refund,
    isBusyWith: (mailHash: Uint8Array) => running.has(recordOf(mailHash)),
    /** Tries a mail, and stores the outcome. Throws `StoreUnavailable`; other nodes then try it after the claim expires. */
    async attempt(claimed: ClaimedMail): Promise<Tried> {
      const name = recordOf(claimed.mailHash);
      const work = send(claimed);
      running.set(name, work);
      try {
        return await work;
      } finally {
        if (running.get(name) === work) running.delete(name);
      }
    },
    settled: async () => void (await Promise.allSettled(running.values())),
  };
}

/** A timer that wakes at the earliest of its times and keeps no process running. */
function createWakeTimer(now: () => number, wake: () => void) {
  let timer: NodeJS.Timeout | undefined;
  let interval: NodeJS.Timeout | undefined;
  let at = Number.POSITIVE_INFINITY;
  return {
    wakeAt(time: number) {
      if (time >= at) return;
      clearTimeout(timer);
      at = time;
      const onTime = () => {
        at = Number.POSITIVE_INFINITY;
        wake();
      };
      timer = setTimeout(onTime, Math.max(pauseMillisecondsMin, time - now())).unref();
    },
    wakeEvery(milliseconds: number) {
      interval ??= setInterval(wake, milliseconds).unref();
    },
    stop() {
      clearTimeout(timer);
      clearInterval(interval);
    },
  };
}

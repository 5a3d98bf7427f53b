/**
 * Requests and responses of each account's callers, by project and day (UTC). A response is counted in memory, which takes
 * a few look-ups; counts are sent to the store every few seconds. A crash loses only those not yet sent.
 *
 * The number of figures is bounded: callers are existing API keys, service accounts and fixed words, and codes are from the contract.
 */

import type { Principal } from '../access/principal.ts';
import { dayMilliseconds, dayOf } from '../common/time/durations.ts';
import { commonCallers, type RequestFigure } from '../storage/contract/usage.ts';
import type { Store } from '../storage/store.ts';

const gatherMilliseconds = 10_000;
/** Figures in one command to the store. Each takes about ten microseconds. */
const figuresMax = 500;
/** Figures of one account and day in this process. The rest are counted together, without a project. */
const ofAccountMax = 1_000;
/** Figures in memory, about 250 bytes each. Over this, new ones are not counted until the existing ones have been sent. */
const defaultInMemoryMax = 100_000;

export interface RequestFiguresOptions {
  readonly store: Pick<Store, 'addRequestFigures'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Called if the store did not take figures. They are sent again. */
  readonly onFault: (error: unknown) => void;
  readonly inMemoryMax?: number;
}

type FigureKey = Omit<RequestFigure, 'requests'>;

class Figure {
  readonly key: FigureKey;
  unsent = 0;

  constructor(key: FigureKey) {
    this.key = key;
  }
}

/** The figures of a caller in a project. */
interface CallerFigures {
  succeeded: Figure | undefined;
  failed: Map<string, Figure> | undefined;
}

/** The figures of an account on the current day, by caller and project. */
class AccountFigures {
  readonly callers = new Map<string, Map<string, CallerFigures>>();
  readonly all: Figure[] = [];
}

/** Counts from now on. */
export class RequestFigures {
  readonly #store: RequestFiguresOptions['store'];
  readonly #now: () => number;
  readonly #onFault: (error: unknown) => void;
  readonly #inMemoryMax: number;
  readonly #accounts = new Map<string, AccountFigures>();
  #size = 0;
  #dayStartsAt = 0;
  #dayEndsAt = 0;
  /** Figures with counts to send; one may be here twice. */
  #waiting: Figure[] = [];
  #sending: Promise<void> = Promise.resolve();
  /** By account, figures being sent because somebody requested them. */
  readonly #settling = new Map<string, Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor({ store, now, onFault, inMemoryMax = defaultInMemoryMax }: RequestFiguresOptions) {
    this.#store = store;
    this.#now = now;
    this.#onFault = onFault;
    this.#inMemoryMax = inMemoryMax;
  }

  /** Counts a response to a principal: `slug` is the project of the path, and `code` that of the error, if any. */
  count(principal: Principal, slug: string | undefined, code: string | undefined): void {
    const now = this.#now();
    if (now >= this.#dayEndsAt || now < this.#dayStartsAt) this.#beginDay(now);
    const figure = this.#figure(principal, slug ?? '', code);
    if (figure === undefined) return;
    if (figure.unsent === 0) this.#wait(figure);
    figure.unsent += 1;
  }

  /** Sends the figures of an account. Rejects if the store does not take them. */
  async settle(accountId: string): Promise<void> {
    // Figures being sent are not in the store yet.
    const before = Promise.allSettled([this.#sending, this.#settling.get(accountId)]);
    const settling = before.then(() => this.#send(this.#waiting.filter(({ key }) => key.accountId === accountId)));
    this.#settling.set(accountId, settling);
    try {
      await settling;
    } finally {
      if (this.#settling.get(accountId) === settling) this.#settling.delete(accountId);
    }
  }

  /** Sends all figures. Call it before the store is closed. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#sending;
    await this.#sendWaiting();
  }

  /** Figures of the previous day still wait, with their date. */
  #beginDay(now: number): void {
    this.#dayStartsAt = dayOf(now);
    this.#dayEndsAt = this.#dayStartsAt + dayMilliseconds;
    this.#forget();
  }

  #forget(): void {
    this.#accounts.clear();
    this.#size = 0;
  }

  #figure(principal: Principal, named: string, code: string | undefined): Figure | undefined {
    const { accountId } = principal;
    const slug = principal.kind === 'developer' ? named : principal.slug;
    const account = this.#accounts.get(accountId) ?? this.#newAccount(accountId);
    const caller = callerOf(principal);
    const known = account.callers.get(caller)?.get(slug);
    const figure = code === undefined ? known?.succeeded : known?.failed?.get(code);
    return (
      figure ?? this.#newFigure(account, { accountId, dayStartsAt: this.#dayStartsAt, slug, caller, code: code ?? '' })
    );
  }

  #newAccount(accountId: string): AccountFigures {
    const account = new AccountFigures();
    this.#accounts.set(accountId, account);
    return account;
  }

  /** Undefined if there is no room for it. */
  #newFigure(account: AccountFigures, key: FigureKey): Figure | undefined {
    const isFull = account.all.length >= ofAccountMax;
    const { slug, caller } = isFull ? { slug: '', caller: commonCallers.other } : key;
    const { code } = key;
    const projects = account.callers.get(caller) ?? new Map<string, CallerFigures>();
    const figures = projects.get(slug) ?? { succeeded: undefined, failed: undefined };
    const known = code === '' ? figures.succeeded : figures.failed?.get(code);
    if (known !== undefined) return known;
    if (this.#size >= this.#inMemoryMax) return undefined;
    account.callers.set(caller, projects.set(slug, figures));
    const figure = new Figure({ ...key, slug, caller });
    if (code === '') figures.succeeded = figure;
    else figures.failed = (figures.failed ?? new Map<string, Figure>()).set(code, figure);
    account.all.push(figure);
    this.#size += 1;
    return figure;
  }

  #wait(figure: Figure): void {
    this.#waiting.push(figure);
    if (this.#timer !== undefined || this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#sendWaiting();
    }, gatherMilliseconds).unref();
  }

  /** Sends all waiting figures. Never rejects. */
  #sendWaiting(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#sending = this.#sending.then(async () => {
      for (let i = 0; i < waiting.length; i += figuresMax) {
        await this.#send(waiting.slice(i, i + figuresMax)).catch(this.#onFault);
      }
      if (this.#size > this.#inMemoryMax / 2) this.#forget();
    });
    return this.#sending;
  }

  /** Sends figures. Those that the store did not take wait again, unless their day is long over. */
  async #send(figures: readonly Figure[]): Promise<void> {
    const sent = figures.flatMap((figure) => {
      const requests = figure.unsent;
      figure.unsent = 0;
      return requests > 0 ? [{ figure, requests }] : [];
    });
    if (sent.length === 0) return;
    try {
      await this.#store.addRequestFigures(sent.map(({ figure, requests }) => ({ ...figure.key, requests })));
    } catch (error) {
      for (const { figure, requests } of sent) {
        if (figure.key.dayStartsAt < this.#dayStartsAt - dayMilliseconds) continue;
        if (figure.unsent === 0) this.#wait(figure);
        figure.unsent += requests;
      }
      throw error;
    }
  }
}

/** API keys and service accounts are counted individually, people together, since their number is unbounded. */
function callerOf(principal: Principal): string {
  switch (principal.kind) {
    case 'api_key':
      return principal.keyId;
    case 'end_user':
      return commonCallers.player;
    case 'developer':
      return principal.actsAs === 'service_account' ? principal.subject : commonCallers.developer;
  }
}

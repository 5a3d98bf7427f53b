/** Requests of an account's callers on the last days, how they were answered, and what is connected now. */

import {
  apiKeyIdPattern,
  type RequestCallerKind,
  type RequestFiguresBody,
  requestCallersMax,
  requestFigureDaysMax,
} from '@holdfast/contract';
import type { Awaitable } from '../common/async/awaitable.ts';
import { formatTime } from '../common/requests/time.ts';
import { dayMilliseconds, dayOf } from '../common/time/durations.ts';
import { commonCallers, type FigurePosition, type OpenStreams, type RequestFigure } from '../storage/contract/usage.ts';
import type { Store } from '../storage/store.ts';

/** Figures read at a time: some milliseconds. */
const portionMax = 1_000;

/** The selected figures. */
export interface FigureQuestion {
  /** Today and the days before it. */
  readonly days: number;
  /** One project only. */
  readonly projectSlug: string | undefined;
  /** One caller only. */
  readonly caller: string | undefined;
}

export interface FigureSources {
  readonly store: Pick<Store, 'listRequestFigures' | 'nameCallers'>;
  /** Stores what this process has counted for an account. */
  readonly figures: { settle(accountId: string): Promise<void> };
  readonly openStreams: { ofAccount(accountId: string): Awaitable<readonly OpenStreams[]> };
  /** Resolves when another portion may be read: however many readers there are, few portions are read in one turn of the event loop. */
  readonly turn: () => Promise<void>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Deletes some of the figures that are too old to be requested. Returns how many; 0 if none is left. */
export function forgetRequestFigures(store: Pick<Store, 'sweepRequestFigures'>, nowMs: number): Promise<number> {
  return store.sweepRequestFigures(nowMs - (requestFigureDaysMax + 1) * dayMilliseconds);
}

/** Returns the figures of an account. They include everything that this node has answered. */
export async function readRequestFigures(
  { store, figures, openStreams, turn, now }: FigureSources,
  accountId: string,
  { days, projectSlug, caller }: FigureQuestion,
): Promise<RequestFiguresBody> {
  await figures.settle(accountId);
  const today = dayOf(now());
  const first = today - (days - 1) * dayMilliseconds;
  const daily = new Map(Array.from({ length: days }, (_, index) => [first + index * dayMilliseconds, new Sum()]));
  const total = new Sum();
  const callers = new Map<string, Sum & { readonly of: RequestFigure }>();
  for await (const figure of figuresSince({ store, turn }, accountId, first)) {
    if (projectSlug !== undefined && figure.slug !== projectSlug) continue;
    if (caller !== undefined && figure.caller !== caller) continue;
    total.add(figure);
    daily.get(figure.dayStartsAt)?.add(figure);
    const known = callers.get(nameOf(figure)) ?? Object.assign(new Sum(), { of: figure });
    callers.set(nameOf(figure), known);
    known.add(figure);
  }
  const open = await openStreams.ofAccount(accountId);
  return {
    period: { start: formatTime(first), end: formatTime(today + dayMilliseconds) },
    ...total.body(),
    daily: Array.from(daily, ([start, sum]) => ({ start: formatTime(start), ...sum.body() })),
    callers: await callerBodies(store, accountId, [...callers.values()]),
    openStreams: open
      .filter(({ slug }) => projectSlug === undefined || slug === projectSlug)
      .map(({ slug, publicStreams, userStreams }) => ({
        projectSlug: slug,
        publicState: publicStreams,
        userState: userStreams,
      })),
  };
}

/** A number of requests, and those refused, by code. */
class Sum {
  requests = 0;
  readonly codes = new Map<string, number>();

  add({ code, requests }: Pick<RequestFigure, 'code' | 'requests'>): void {
    this.requests += requests;
    if (code !== '') this.codes.set(code, (this.codes.get(code) ?? 0) + requests);
  }

  body(): Pick<RequestFiguresBody, 'requests' | 'errors'> {
    const errors = Array.from(this.codes, ([code, requests]) => ({ code, requests }));
    return {
      requests: this.requests,
      errors: errors.sort((a, b) => b.requests - a.requests || (a.code < b.code ? -1 : 1)),
    };
  }
}

/** Yields all figures of an account from a day on. */
async function* figuresSince(
  { store, turn }: Pick<FigureSources, 'store' | 'turn'>,
  accountId: string,
  since: number,
): AsyncGenerator<RequestFigure, void, undefined> {
  let after: FigurePosition = { dayStartsAt: since - 1, slug: '', caller: '', code: '' };
  for (;;) {
    await turn();
    const portion = await store.listRequestFigures(accountId, after, portionMax);
    yield* portion;
    const last = portion.at(-1);
    if (last === undefined || portion.length < portionMax) return;
    after = last;
  }
}

/** Identifies callers in projects, and orders them. */
const nameOf = ({ slug, caller }: RequestFigure): string => `${slug} ${caller}`;

type CallerSum = Sum & { readonly of: RequestFigure };

/** The callers with the most requests, by name. Those over the bound are combined, last. */
async function callerBodies(
  store: Pick<Store, 'nameCallers'>,
  accountId: string,
  sums: readonly CallerSum[],
): Promise<RequestFiguresBody['callers']> {
  const sorted = [...sums].sort((a, b) => b.requests - a.requests || (nameOf(a.of) < nameOf(b.of) ? -1 : 1));
  const shown = sorted.slice(0, requestCallersMax);
  const ids = new Set(shown.map(({ of }) => of.caller).filter((caller) => isSingle(caller)));
  const names = await store.nameCallers(accountId, [...ids]);
  const bodies = shown.map((sum) => ({ ...callerBody(sum.of, names), ...sum.body() }));
  const rest = new Sum();
  for (const { requests, codes } of sorted.slice(requestCallersMax)) {
    rest.requests += requests;
    for (const [code, count] of codes) rest.codes.set(code, (rest.codes.get(code) ?? 0) + count);
  }
  if (rest.requests === 0) return bodies;
  return [...bodies, { projectSlug: null, kind: 'other', id: null, name: null, ...rest.body() }];
}

const common = new Set<string>(Object.values(commonCallers));
const isSingle = (caller: string): boolean => !common.has(caller);

function callerBody({ slug, caller }: RequestFigure, names: ReadonlyMap<string, string>) {
  const id = isSingle(caller) ? caller : null;
  return { projectSlug: slug === '' ? null : slug, kind: kindOf(caller), id, name: names.get(caller) ?? null };
}

function kindOf(caller: string): RequestCallerKind {
  const kind = Object.values(commonCallers).find((word) => word === caller);
  return kind ?? (apiKeyIdPattern.test(caller) ? 'api_key' : 'service_account');
}

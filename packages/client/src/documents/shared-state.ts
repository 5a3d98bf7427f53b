import type { Auth } from '../auth/auth.ts';
import { ownerOf } from '../auth/owner.ts';
import { type CallOptions, withinLimits } from '../limits.ts';
import { invalid } from '../service.ts';
import {
  type Change,
  Document,
  type DocumentOptions,
  type Internals,
  internals,
  type Parts,
  type UpdateOptions,
} from './document.ts';
import type { PatchOperation } from './records.ts';

/** A document of the service, and the user who calls for it. */
export interface StateOptions<State> extends DocumentOptions<State> {
  readonly auth: Auth;
  /** Default timeout of a call. */
  readonly timeoutMs: number | undefined;
}

interface Comment {
  readonly comment?: string | undefined;
}

/** Common to both kinds of state. */
export interface SharedState<State, Record> extends Internals<State> {
  get(options?: CallOptions): Promise<Record | null>;
  patch(
    ops: readonly PatchOperation[],
    options: CallOptions & Comment & { readonly ifVersion: number | null },
  ): Promise<Record>;
  update(change: Change<State>, options?: UpdateOptions<State> & Comment): Promise<Record>;
}

/** Missing arguments are checked with the rest, so that the call rejects instead of throwing. */
export const nothing = {} as { readonly ifVersion: number };

/** Returns what public state and user state have in common. Its calls concern the document of whoever is signed in at that time. */
export function createSharedState<State, Record extends { readonly state: State }>(
  options: StateOptions<State>,
): SharedState<State, Record> {
  const { auth } = options;
  let held: Document<State> | undefined;
  let onRecord: Parameters<Parts<State>['onRecord']>[0] | undefined;
  const documentOf: Parts<State>['documentOf'] = (owner) => {
    if (held === undefined || held.owner !== owner)
      held = new Document(options, owner, (record) => onRecord?.(owner, record));
    return held;
  };
  auth.onChange(() => {
    held = undefined; // running requests finish in the old one
  });
  const call: Parts<State>['call'] = ({ signal, timeoutMs = options.timeoutMs }, work) =>
    withinLimits({ signal, timeoutMs }, async (limits) => work(documentOf(await ownerOf(auth, limits.signal)), limits));
  return {
    [internals]: {
      auth,
      timeoutMs: options.timeoutMs,
      documentOf,
      onRecord: (listener) => {
        onRecord = listener;
      },
      call,
    },
    get: (given = {}) =>
      call(given, async (document, limits) => {
        const record = await document.read(limits);
        return record && document.shown<Record>(record);
      }),
    patch: (ops, { ifVersion, comment, ...given } = nothing) =>
      call(given, async (document, limits) => document.shown(await document.patch(ops, ifVersion, comment, limits))),
    update: (change, { comment, initial, conflictsMax, ...given } = {}) =>
      call(given, async (document, limits) => {
        if (typeof change !== 'function') throw invalid('update needs a function that changes the document');
        const more = { ...(initial !== undefined && { initial }), ...(conflictsMax !== undefined && { conflictsMax }) };
        return document.shown(await document.update(change, { ...limits, ...more }, { comment }));
      }),
  };
}

/** Replaces a document until it is known, and its missing top-level members. */
import { memberOf } from '../exact.ts';
import type { Snapshot } from './snapshot.ts';

/** The states of snapshots before defaults were filled in. */
const bare = new WeakMap<object, unknown>();

/** Returns a state with missing top-level members taken from the defaults. Existing members stay, even null. */
export function filled<State>(state: State | null | undefined, defaults: State | undefined): State | null | undefined {
  if (defaults === undefined) return state;
  if (state === null || state === undefined) return defaults;
  const lacking = Object.entries(defaults as object).filter(([name]) => memberOf(state, name) === undefined);
  return lacking.length > 0 ? { ...state, ...Object.fromEntries(lacking) } : state;
}

/** A snapshot with the defaults in its state. `state` is undefined while nothing is known. */
export function snapshotOf<State>(
  state: State | null | undefined,
  { version, stale }: Omit<Snapshot<State>, 'state'>,
  defaults: State | undefined,
): Snapshot<State> {
  const snapshot: Snapshot<State> = { state: filled(state, defaults) ?? null, version, stale };
  if (defaults !== undefined) bare.set(snapshot, state);
  return snapshot;
}

/** The state of a snapshot without defaults, as changes receive it; undefined if only defaults are known. */
export const bareState = <State>(snapshot: Snapshot<State>): State | null | undefined =>
  bare.has(snapshot) ? (bare.get(snapshot) as State | null | undefined) : snapshot.state;

/** What a queue has in the storage. */

/** A waiting change. */
export interface Entry {
  /** Its place in the line. */
  readonly at: number;
  /** Its first place in the line, which names it. */
  readonly id: number;
  readonly name: string;
  readonly args: readonly unknown[];
  /** The version of its mutator. */
  readonly version: number;
  /** When it was stored, in milliseconds; undefined for what version 0.1.0 stored. */
  readonly storedAt: number | undefined;
}

/** The request that was sent for the first changes, or was about to be: it is sent again unchanged, so that it counts once. */
export interface Sent {
  readonly key: string;
  readonly body: string;
  readonly version: number | null;
  /** When it was made. */
  readonly at: number;
  /** The last change that it has. */
  readonly through: number;
}

/** Which changes wait: from `first` to before `next`. */
export interface Range {
  readonly first: number;
  readonly next: number;
  /** Whether what version 0.1.0 stored has been taken over. */
  readonly hasAdopted?: boolean;
  /** Changes of the line that were discarded. */
  readonly gone?: readonly number[] | undefined;
  /** Changes that no mutator of the release that tried had. They are not in the line. */
  readonly aside?: readonly number[] | undefined;
}

/** A change as version 0.1.0 stored it. */
export interface OldEntry {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly sent?: Omit<Sent, 'through'>;
}

const waitingMax = 1_000_000;

/** Whether something that was stored says which changes wait. */
export const isRange = ({ first, next, gone = [], aside = [] }: Range): boolean =>
  Number.isSafeInteger(first) &&
  Number.isSafeInteger(next) &&
  next >= first &&
  next - first <= waitingMax &&
  Array.isArray(gone) &&
  Array.isArray(aside);

/** Whether something that was stored is a request. */
export const isSent = ({ key, body, version, at, through }: Sent): boolean =>
  [key, body].every((text) => typeof text === 'string') &&
  [version ?? 0, at, through].every((number) => Number.isFinite(number));

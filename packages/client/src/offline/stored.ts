/** The stored data of a queue. */

/** A waiting change. */
export interface Entry {
  /** Its position in the line. */
  readonly at: number;
  /** Its first position in the line, which is its number. */
  readonly id: number;
  readonly name: string;
  readonly args: readonly unknown[];
  /** The version of its mutator. */
  readonly version: number;
  /** When it was stored, in milliseconds; undefined if version 0.1.0 stored it. */
  readonly storedAt: number | undefined;
}

/** The request sent, or about to be sent, for the first changes. It is repeated unchanged, so that it counts once. */
export interface Sent {
  readonly key: string;
  readonly body: string;
  readonly version: number | null;
  /** When it was made. */
  readonly at: number;
  /** The last change in it. */
  readonly through: number;
}

/** The range of waiting changes: from `first` up to, but excluding, `next`. */
export interface Range {
  readonly first: number;
  readonly next: number;
  /** Whether changes stored by version 0.1.0 were taken over. */
  readonly hasAdopted?: boolean;
  /** Discarded changes of the line. */
  readonly gone?: readonly number[] | undefined;
  /** Changes that had no mutator in the release that tried. They are not in the line. */
  readonly aside?: readonly number[] | undefined;
}

/** A change as stored by version 0.1.0. */
export interface OldEntry {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly sent?: Omit<Sent, 'through'>;
}

const waitingMax = 1_000_000;

/** Whether a stored value is the range of waiting changes. */
export const isRange = ({ first, next, gone = [], aside = [] }: Range): boolean =>
  Number.isSafeInteger(first) &&
  Number.isSafeInteger(next) &&
  next >= first &&
  next - first <= waitingMax &&
  Array.isArray(gone) &&
  Array.isArray(aside);

/** Whether a stored value is a request. */
export const isSent = ({ key, body, version, at, through }: Sent): boolean =>
  [key, body].every((text) => typeof text === 'string') &&
  [version ?? 0, at, through].every((number) => Number.isFinite(number));

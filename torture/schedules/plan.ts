/** What is to happen at which time: changes to the documents of some projects, each to a value of its own. */
import type { Random } from '../../tooling/random.ts';

/**
 * `kept`: applied. `reverted`: applied and reverted. `contested`: somebody else has changed the value before. `stuck`: somebody else changes
 * the value before it is reverted.
 */
export type ChangeKind = 'kept' | 'reverted' | 'contested' | 'stuck';

/** A proposal. Its value is 0, and 1 once it is applied. */
interface Place {
  /** The member of the document, and the comment of its versions. */
  readonly name: string;
  readonly kind: ChangeKind;
  readonly document: number;
}

export interface Change extends Place {
  /** Milliseconds since the epoch. Both move if it cannot be proposed in time. */
  applyAt: number;
  revertAt: number | null;
}

/** A write by somebody else, which sets a value to 2 where it is `from`, not before `at`. */
export interface Edit {
  readonly name: string;
  readonly document: number;
  readonly from: 0 | 1;
  readonly at: number;
  /** When it was there at the latest; undefined until then. */
  doneAt?: number;
}

/** When the first is due, and how long the last follows later. */
interface Span {
  readonly from: number;
  readonly milliseconds: number;
}

const kinds: readonly ChangeKind[] = [
  ...Array<ChangeKind>(9).fill('kept'),
  ...Array<ChangeKind>(8).fill('reverted'),
  'contested',
  'contested',
  'stuck',
];
/** A third of all changes is due at one of few moments, like releases at noon. */
const moments = 12;
/** The least time between a change and its revert, as a multiple of the pace; at most twice as much. */
const revertShares = { contested: null, kept: null, reverted: 1, stuck: 2.25 } as const;

/** Returns changes without their times, the same number for each document as far as possible. */
export const placesOf = (schedules: number, documents: number): readonly Place[] =>
  Array.from({ length: schedules }, (_, index) => ({
    name: `change-${index}`,
    kind: kinds[index % kinds.length] as ChangeKind,
    document: (index + Math.floor(index / documents)) % documents,
  }));

/** Returns these changes with times. `pace`: the milliseconds between what follows each other. */
export const changesAt = (
  places: readonly Place[],
  { from, milliseconds }: Span,
  pace: number,
  random: Random,
): readonly Change[] =>
  places.map((place): Change => {
    const share = random.oneIn(3) ? random.below(moments) / moments : random.below(10_000) / 10_000;
    const applyAt = Math.round(from + share * milliseconds);
    const revertShare = revertShares[place.kind];
    if (revertShare === null) return { ...place, applyAt, revertAt: null };
    const between = revertShare * pace;
    return { ...place, applyAt, revertAt: applyAt + between + random.below(between) };
  });

/** Returns the edits that prevent some of these changes, or their reverts. */
export const editsAgainst = (changes: readonly Change[], pace: number): readonly Edit[] =>
  changes.flatMap(({ name, kind, document, applyAt }): Edit[] => {
    if (kind === 'contested') return [{ name, document, from: 0, at: applyAt - pace }];
    return kind === 'stuck' ? [{ name, document, from: 1, at: applyAt + pace }] : [];
  });

/** The first state of a document. */
export const firstState = (places: readonly Place[], document: number): ScheduledState => ({
  noise: 0,
  values: Object.fromEntries(places.filter((one) => one.document === document).map(({ name }) => [name, 0])),
});

export interface ScheduledState {
  readonly noise: number;
  readonly values: Readonly<Record<string, number>>;
}

/** Random histories of a document: texts that grow, shrink, and change partly or completely. */
import type { TextEdit } from '@holdfast/json';
import fc from 'fast-check';
import type { NewPublicState } from '../contract/public-states.ts';

/** A text, and the edits from the previous text, if known. */
export type Change = Pick<NewPublicState, 'stateText' | 'edits'>;

const unit = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...'abcdef0123456789{}[]:,".-') },
  { weight: 1, arbitrary: fc.constantFrom('\\ud800', '\\udfff', '\\u0000', '\\"', 'é', '漢', '\u2028', '\ufffd') },
  { weight: 1, arbitrary: fc.constantFrom('😀', '😁', '🀀', '\u{10ffff}') },
);
/** Unpaired surrogates: documents never contain them, and they must not mislead a store. */
const loneUnit = fc.constantFrom('\ud800', '\ud83d', '\udc00', '\ude00');

/** Where an edit begins and how much it removes, as shares of the text. */
const step = (part: fc.Arbitrary<string>) =>
  fc.record({
    kind: fc.constantFrom('edit', 'edit', 'edit', 'edits', 'number', 'number', 'append', 'cut', 'same', 'new'),
    places: fc.array(fc.record({ at: fc.nat(999), taken: fc.nat(12), put: part }), { minLength: 1, maxLength: 8 }),
  });

type Step = typeof step extends (part: fc.Arbitrary<string>) => fc.Arbitrary<infer Value> ? Value : never;

/** Histories of 1 to `versionsMax` versions. */
export function chains(versionsMax: number, withLoneHalves: boolean): fc.Arbitrary<Change[]> {
  const part = fc.string({ unit: withLoneHalves ? fc.oneof(unit, loneUnit) : unit, maxLength: 10 });
  const first = fc.string({ unit: withLoneHalves ? fc.oneof(unit, loneUnit) : unit, maxLength: 300 });
  return fc.tuple(first, fc.array(step(part), { maxLength: versionsMax - 1 })).map(([text, steps]) => {
    const changes: Change[] = [{ stateText: text }];
    for (const one of steps) changes.push(changed(changes.at(-1)?.stateText ?? '', one));
    return changes;
  });
}

function changed(before: string, { kind, places }: Step): Change {
  const [{ at, put } = { at: 0, put: '' }] = places;
  switch (kind) {
    case 'edit':
      return { stateText: applied(before, places.slice(0, 1)).text };
    case 'edits': {
      const { text, edits } = applied(before, places);
      return { stateText: text, edits };
    }
    case 'number':
      return { stateText: before.replace(/\d+/, String(at)) };
    case 'append':
      return { stateText: before + put.repeat(at % 20) };
    case 'cut':
      return { stateText: before.slice(offsetIn(before, at)) };
    case 'new':
      return { stateText: put.repeat(at % 50) };
    default:
      return { stateText: before };
  }
}

/** An offset that does not split a surrogate pair, as in real edits. */
function offsetIn(text: string, share: number): number {
  const at = Math.floor((text.length * share) / 999);
  return /^[\udc00-\udfff]/.test(text.slice(at)) ? Math.max(at - 1, 0) : at;
}

function applied(before: string, places: Step['places']): { text: string; edits: TextEdit[] } {
  let text = before;
  const edits: TextEdit[] = [];
  for (const { at, taken, put } of places) {
    const [start, end] = [offsetIn(text, at), offsetIn(text, Math.min(at + taken, 999))];
    edits.push({ start, end, replacement: put });
    text = text.slice(0, start) + put + text.slice(end);
  }
  return { text, edits };
}

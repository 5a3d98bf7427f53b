/** Long lists of records as JSON text in pieces. */
import { textSlices } from '../text-slices.ts';

/** A record as its state, and the JSON text around it. */
export interface RecordText {
  readonly head: string;
  readonly stateText: string;
  readonly tail: string;
}

/** States above this are not joined to anything, since every joint would copy them, and a history has thousands. */
const joinedCharactersMax = 16_384;

/** Records with commas between them, small ones joined. `separator` stands before the first record. */
export function* recordPieces(records: readonly RecordText[], separator: string): Generator<string, void, undefined> {
  let joined = separator;
  for (const [index, { head, stateText, tail }] of records.entries()) {
    if (index > 0) joined += ',';
    if (stateText.length <= joinedCharactersMax) {
      joined += head + stateText + tail;
      continue;
    }
    yield joined + head;
    yield* textSlices(stateText);
    joined = tail;
  }
  if (joined !== '') yield joined;
}

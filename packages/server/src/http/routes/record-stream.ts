/** Long lists of records as JSON text in pieces. */

/** A record as its state, and the JSON text around it. */
export interface RecordText {
  readonly head: string;
  readonly stateText: string;
  readonly tail: string;
}

/** States above this are not joined to anything, since every joint would copy them, and a history has thousands. */
const joinedCharactersMax = 16_384;
/** And they go out in slices: the runtime sets three bytes aside for each character that it is given to send. */
const sliceCharacters = 32_768;

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
    yield* slices(stateText);
    joined = tail;
  }
  if (joined !== '') yield joined;
}

/** A text in slices, none of which ends between the halves of a surrogate pair. */
function* slices(text: string): Generator<string, void, undefined> {
  for (let start = 0; start < text.length; ) {
    const end = start + sliceCharacters;
    const isSplit = end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
    const slice = text.slice(start, isSplit ? end - 1 : end);
    yield slice;
    start += slice.length;
  }
}

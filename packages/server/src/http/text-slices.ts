/** Large texts go out in slices: the runtime sets three bytes aside for each character that it is given to send. */
const sliceCharacters = 32_768;

/** A text in slices, none of which ends between the halves of a surrogate pair. */
export function* textSlices(text: string): Generator<string, void, undefined> {
  for (let start = 0; start < text.length; ) {
    const end = start + sliceCharacters;
    const isSplit = end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
    const slice = text.slice(start, isSplit ? end - 1 : end);
    yield slice;
    start += slice.length;
  }
}

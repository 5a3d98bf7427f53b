import { endOfValue, isOpener } from './scan.ts';

/**
 * A shorter value is passed over again in less time than it takes to look for it here. One value is remembered for as many characters of
 * the text at most, which takes a tenth of its room.
 */
const charactersMin = 512;

/**
 * Where the long arrays and objects of a text end, as far as anybody has passed over them. Who walks through the text again steps over
 * them at once: finding a place in 250,000 characters takes 3 µs then, and 250 µs without.
 */
export class ValueEnds {
  readonly #ends = new Map<number, number>();
  readonly #charactersMin: number;

  /** Values of fewer characters are not remembered. */
  constructor(remembered = charactersMin) {
    this.#charactersMin = remembered;
  }

  /** The offset behind the value that begins at `start`. The text must be the same at each call. */
  endOf(text: string, start: number): number {
    const known = this.#ends.get(start);
    if (known !== undefined) return known;
    const end = endOfValue(text, start);
    const isLong = end - start >= this.#charactersMin && isOpener(text.charCodeAt(start));
    if (isLong && this.#ends.size * this.#charactersMin < text.length) this.#ends.set(start, end);
    return end;
  }

  /** The same of the text in which `end - start` characters at `start` have made way for `added`. */
  after(start: number, end: number, added: number): ValueEnds {
    const next = new ValueEnds(this.#charactersMin);
    const moved = added - (end - start);
    for (const [valueStart, valueEnd] of this.#ends) {
      if (valueEnd <= start) next.#ends.set(valueStart, valueEnd);
      else if (valueStart >= end) next.#ends.set(valueStart + moved, valueEnd + moved);
      else if (valueStart < start && valueEnd > end) next.#ends.set(valueStart, valueEnd + moved);
    }
    return next;
  }
}

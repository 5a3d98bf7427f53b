import type { TextEdit } from '@holdfast/json';

/** A part of a text. */
interface Piece {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * An edited text, as a list of pieces of the original and of replacements. An edit costs a walk along the pieces; only reading the text
 * copies it.
 */
export class TextBuilder {
  #pieces: Piece[];
  #length: number;

  constructor(text: string) {
    this.#pieces = [wholeOf(text)];
    this.#length = text.length;
  }

  /** Applies edits in order. Returns false if an edit is outside the text; the builder is then unusable. */
  apply(edits: readonly TextEdit[]): boolean {
    return edits.every((edit) => this.#apply(edit));
  }

  /** The current text. */
  text(): string {
    const [only] = this.#pieces;
    if (this.#pieces.length === 1 && only?.text.length === this.#length) return only.text;
    const text = this.#pieces.map((piece) => piece.text.slice(piece.start, piece.end)).join('');
    this.#pieces = [wholeOf(text)];
    return text;
  }

  /** The part of the current text from `start` to `end`. */
  slice(start: number, end: number): string {
    let offset = 0;
    let part = '';
    for (const piece of this.#pieces) {
      const pieceEnd = offset + piece.end - piece.start;
      if (pieceEnd > start && offset < end) {
        const begin = piece.start + Math.max(0, start - offset);
        part += piece.text.slice(begin, piece.end - Math.max(0, pieceEnd - end));
      }
      offset = pieceEnd;
    }
    return part;
  }

  #apply({ start, end, replacement }: TextEdit): boolean {
    if (start > end || end > this.#length) return false;
    const kept: Piece[] = [];
    let offset = 0;
    let isInserted = false;
    const insert = () => {
      if (replacement !== '') kept.push(wholeOf(replacement));
      isInserted = true;
    };
    for (const piece of this.#pieces) {
      const pieceEnd = offset + piece.end - piece.start;
      if (offset < start) kept.push({ ...piece, end: Math.min(piece.end, piece.start + start - offset) });
      if (!isInserted && pieceEnd >= start) insert();
      if (pieceEnd > end) kept.push({ ...piece, start: Math.max(piece.start, piece.start + end - offset) });
      offset = pieceEnd;
    }
    if (!isInserted) insert();
    this.#pieces = kept;
    this.#length += replacement.length - (end - start);
    return true;
  }
}

const wholeOf = (text: string): Piece => ({ text, start: 0, end: text.length });

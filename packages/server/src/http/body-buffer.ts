/** The bytes of a body. Pieces are joined as they come, so that nothing is left to join when many bodies end together. */

/** The smallest memory that two pieces are joined in. */
const capacityMin = 65_536;

export class BodyBuffer {
  /** The only piece, until there is another. */
  #first: Uint8Array | undefined;
  #memory: ArrayBuffer | undefined;
  readonly #bytesMax: number;
  #bytes = 0;

  /** `bytesMax` is the most that the body can have. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get length(): number {
    return this.#bytes;
  }

  /** How much more memory a piece of this length would take. */
  memoryFor(length: number): number {
    if (this.#bytes === 0) return length;
    const needed = this.#bytes + length;
    const taken = this.#memory?.byteLength ?? this.#bytes;
    return needed <= taken ? 0 : this.#capacityFor(needed) - taken;
  }

  /** Adds a piece, which the caller must no longer use. */
  push(piece: Uint8Array): void {
    const { length } = piece; // a joined piece has none left
    if (this.#bytes === 0) this.#first = piece;
    else this.#join(piece);
    this.#bytes += length;
  }

  #join(piece: Uint8Array): void {
    const needed = this.#bytes + piece.length;
    if (this.#memory === undefined) {
      this.#memory = new ArrayBuffer(this.#capacityFor(needed));
      if (this.#first !== undefined) moveTo(this.#memory, 0, this.#first);
      this.#first = undefined;
    } else if (needed > this.#memory.byteLength) {
      // Unlike a copy, this frees the memory that is too small immediately.
      this.#memory = this.#memory.transfer(this.#capacityFor(needed));
    }
    moveTo(this.#memory, this.#bytes, piece);
  }

  /** At least twice the needed size while more may come, so each byte is moved at most twice. */
  #capacityFor(needed: number): number {
    return Math.max(Math.min(Math.max(2 * needed, capacityMin), this.#bytesMax), needed);
  }

  /** Frees all memory. */
  release(): void {
    if (this.#first !== undefined) giveBack(this.#first);
    this.#memory?.transfer(0);
    this.#memory = undefined;
    this.#first = undefined;
  }

  /** All bytes. */
  bytes(): Uint8Array {
    if (this.#memory !== undefined) return new Uint8Array(this.#memory, 0, this.#bytes);
    return this.#first ?? new Uint8Array(0);
  }
}

function moveTo(memory: ArrayBuffer, offset: number, piece: Uint8Array): void {
  new Uint8Array(memory).set(piece, offset);
  giveBack(piece);
}

/** Frees the memory of a piece that came off a socket. Left to the garbage collector, the pieces of many bodies take 64 MiB. */
export function giveBack({ buffer, length }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0);
}

/** The bytes of a body. Pieces are joined as they arrive, so no joining is left to do when many bodies end together. */

/** The smallest buffer for joining two pieces. */
const capacityMin = 65_536;

export class BodyBuffer {
  /** The first piece, while it is the only one. */
  #first: Uint8Array | undefined;
  #memory: ArrayBuffer | undefined;
  readonly #bytesMax: number;
  #bytes = 0;

  /** `bytesMax` is the largest size of the body. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get length(): number {
    return this.#bytes;
  }

  /** The additional memory that a piece of this length would take. */
  memoryFor(length: number): number {
    if (this.#bytes === 0) return length;
    const needed = this.#bytes + length;
    const taken = this.#memory?.byteLength ?? this.#bytes;
    return needed <= taken ? 0 : this.#capacityFor(needed) - taken;
  }

  /** Adds a piece. The caller must not use it afterwards. */
  push(piece: Uint8Array): void {
    const { length } = piece; // joining empties the piece
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
      // Unlike copying, `transfer` frees the old buffer immediately.
      this.#memory = this.#memory.transfer(this.#capacityFor(needed));
    }
    moveTo(this.#memory, this.#bytes, piece);
  }

  /** At least twice the needed size while more pieces may arrive, so each byte moves at most twice. */
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

  /** The whole body. */
  bytes(): Uint8Array {
    if (this.#memory !== undefined) return new Uint8Array(this.#memory, 0, this.#bytes);
    return this.#first ?? new Uint8Array(0);
  }
}

function moveTo(memory: ArrayBuffer, offset: number, piece: Uint8Array): void {
  new Uint8Array(memory).set(piece, offset);
  giveBack(piece);
}

/** Frees the memory of a piece read from a socket. If left to the garbage collector, the pieces of many bodies take 64 MiB. */
export function giveBack({ buffer, length }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0);
}

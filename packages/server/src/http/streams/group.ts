/** Streams in groups within groups. Each group knows which of its parts has most streams, so the stream that yields is found at once. */

type Part<Stream extends object> = Group<Stream> | Stream;

export class Group<Stream extends object> {
  /** The group that it is a part of. */
  readonly whole: Group<Stream> | undefined;
  /** Streams in it. */
  size = 0;
  /** Streams of its largest part. */
  #most = 0;
  /** Its part, as long as it is the only one: most groups have no more, and then need no index. */
  #only: Part<Stream> | undefined;
  /** Its parts by their sizes. Of one size, those that have had it longest come first. */
  #bySize: Map<number, Set<Part<Stream>>> | undefined;

  constructor(whole: Group<Stream> | undefined) {
    this.whole = whole;
  }

  /** One of the parts with most streams, undefined in an empty group. */
  get largest(): Part<Stream> | undefined {
    if (this.#bySize === undefined) return this.#only;
    const [first] = this.#bySize.get(this.#most) ?? [];
    return first;
  }

  /** The stream that yields when the group has to: the oldest of the largest of its parts, and so on down. */
  get yielding(): Stream | undefined {
    const { largest } = this;
    return largest instanceof Group ? largest.yielding : largest;
  }

  /** Adds a stream to the group and to all that this is a part of. */
  add(stream: Stream): void {
    this.#move(stream, 0, 1);
    this.#grow(1);
  }

  /** Takes a stream away that was added. */
  delete(stream: Stream): void {
    this.#move(stream, 1, 0);
    this.#grow(-1);
  }

  #grow(by: 1 | -1): void {
    this.size += by;
    const { whole } = this;
    if (whole === undefined) return;
    whole.#move(this, this.size - by, this.size);
    whole.#grow(by);
  }

  /** A part has another size than before: one more, or one less. */
  #move(part: Part<Stream>, from: number, to: number): void {
    if (this.#bySize === undefined) {
      if (this.#only === undefined || this.#only === part) {
        this.#only = to > 0 ? part : undefined;
        this.#most = to;
        return;
      }
      this.#bySize = new Map([[this.#most, new Set([this.#only])]]);
      this.#only = undefined;
    }
    const before = this.#bySize.get(from);
    if (before?.delete(part) && before.size === 0) this.#bySize.delete(from);
    if (to > 0) {
      const after = this.#bySize.get(to);
      if (after === undefined) this.#bySize.set(to, new Set([part]));
      else after.add(part);
    }
    // The part that was largest is now one smaller, and no other was larger.
    if (to > this.#most || !this.#bySize.has(this.#most)) this.#most = to;
    if (this.#bySize.size === 0) this.#bySize = undefined;
  }
}

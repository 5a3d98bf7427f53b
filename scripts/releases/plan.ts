/** What a publication has to send, when some of it may be there already: everything that is there is compared before anything is sent. */

/** A file or image on its way to a registry. */
export interface Piece {
  readonly name: string;
  /** What it is made of, as the registry says it: an `integrity` of npm, a digest. */
  readonly integrity: string;
}

export interface Plan<P extends Piece> {
  /** There already, with the same content. */
  readonly left: readonly P[];
  /** Not there. */
  readonly missing: readonly P[];
}

/**
 * Returns what is there and what is not. `present` has the integrity of each name that the registry has. Throws an `Error` that names every
 * piece that is there with another content: a published version never changes, so nothing at all may be sent then.
 */
export function planOf<P extends Piece>(pieces: readonly P[], present: ReadonlyMap<string, string>): Plan<P> {
  const other = pieces.filter(({ name, integrity }) => (present.get(name) ?? integrity) !== integrity);
  if (other.length > 0) {
    const lines = other.map(({ name, integrity }) => `  ${name}: there ${present.get(name)}, here ${integrity}`);
    throw new Error(`published already, with another content; nothing was sent:\n${lines.join('\n')}`);
  }
  return {
    left: pieces.filter(({ name }) => present.has(name)),
    missing: pieces.filter(({ name }) => !present.has(name)),
  };
}

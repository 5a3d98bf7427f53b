/** What a publication must send if parts of it may exist already: everything existing is compared before anything is sent. */

/** A file or image to publish. */
export interface Piece {
  readonly name: string;
  /** Its content as the registry identifies it: an npm `integrity`, a digest. */
  readonly integrity: string;
}

export interface Plan<P extends Piece> {
  /** Already published, with the same content. */
  readonly left: readonly P[];
  /** Not published. */
  readonly missing: readonly P[];
}

/**
 * Returns what is published and what is not. `present` has the integrity of each published name. Throws an `Error` that names every piece
 * published with different content: published versions never change, so nothing may be sent then.
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

/** What a player's token says of when it was issued. */
interface Issued {
  /** Undefined for a token of an earlier release, which says its time in whole seconds. */
  readonly epoch?: number | undefined;
  readonly issuedAtMs: number;
}

/** Returns the epoch of the player's tokens that a token belongs to: it is good no more once an end is later than this. */
export const epochOfToken = ({ epoch, issuedAtMs }: Issued): number => epoch ?? issuedAtMs - 1;

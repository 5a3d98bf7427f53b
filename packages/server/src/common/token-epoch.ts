/** What a player's token says about its issue. */
interface Issued {
  /** Undefined for a token of an earlier release, which holds its time in whole seconds. */
  readonly epoch?: number | undefined;
  readonly issuedAtMs: number;
}

/** Returns the epoch of the player's tokens that a token belongs to: it is no longer valid after an end later than this. */
export const epochOfToken = ({ epoch, issuedAtMs }: Issued): number => epoch ?? issuedAtMs - 1;

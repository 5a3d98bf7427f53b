/** Tokens that are older than the project or the sessions of their holder. */

/**
 * Whether a token was issued before its project was created: it then belongs to a deleted project of the same slug. Tokens hold their time
 * of issue in whole seconds, so a token of the same second counts as one of the new project.
 */
export function isIssuedBefore(createdAtMs: number, issuedAtMs: number): boolean {
  return issuedAtMs < Math.floor(createdAtMs / 1000) * 1000;
}

/** What a player's token says about its issue. */
interface Issued {
  /** Undefined for a token of an earlier release, which holds its time in whole seconds. */
  readonly epoch?: number | undefined;
  readonly issuedAtMs: number;
}

/** Returns the epoch of the player's tokens that a token belongs to: it is no longer valid after an end later than this. */
export const epochOfToken = ({ epoch, issuedAtMs }: Issued): number => epoch ?? issuedAtMs - 1;

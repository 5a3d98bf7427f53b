/**
 * Whether a token was issued before its project was created: it then belongs to a deleted project of the same slug. Tokens hold their time
 * of issue in whole seconds, so a token of the same second counts as one of the new project.
 */
export function isIssuedBefore(createdAtMs: number, issuedAtMs: number): boolean {
  return issuedAtMs < Math.floor(createdAtMs / 1000) * 1000;
}

/**
 * Whether a token was issued before its project was created: then it speaks for another project, which had the same slug and
 * was deleted. Tokens say when they were issued in whole seconds, so one of the very second counts as one of the new project.
 */
export function isIssuedBefore(createdAtMs: number, issuedAtMs: number): boolean {
  return issuedAtMs < Math.floor(createdAtMs / 1000) * 1000;
}

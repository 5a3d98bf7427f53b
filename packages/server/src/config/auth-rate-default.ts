/** The limit of the sign-in routes if none is set: the rule, and its text for the documentation. */
const usual = 120;

export const authRateDefaultText = `${usual}, or \`SVC_RATE_LIMIT_PER_MINUTE\` if that is set and larger`;

/** `rateLimitPerMinute` is the limit of the other routes, if set; 0 means no limit, which is more than any. */
export function authRateDefault(rateLimitPerMinute: number | undefined): number {
  return rateLimitPerMinute === 0 ? 0 : Math.max(usual, rateLimitPerMinute ?? usual);
}

/** The limit of the sign-in routes where none is set: the rule, and what the documentation says of it. */
const usual = 120;

export const authRateDefaultText = `${usual}, or \`SVC_RATE_LIMIT_PER_MINUTE\` if that is set and larger`;

/** `rateLimitPerMinute` is that of the other routes if it is set; 0 means no limit, which is more than any. */
export function authRateDefault(rateLimitPerMinute: number | undefined): number {
  return rateLimitPerMinute === 0 ? 0 : Math.max(usual, rateLimitPerMinute ?? usual);
}

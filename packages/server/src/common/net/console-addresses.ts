/** The addresses of the console: its own, those to which sign-in returns, and that of an invitation. */

/** Returns the address of the console, with a slash at its end. */
export const consoleUrl = (baseUrl: string): string => `${baseUrl}/console/`;

/** Returns the redirect URI that the console uses as the client `svc-developer`. */
export const consoleRedirectUri = (baseUrl: string): string => `${consoleUrl(baseUrl)}callback`;

/**
 * Returns the redirect URI of the codes in links of the command line. No client may ask for it, so a code from the login page does not work
 * in such a link: otherwise whoever can sign in here could lead others into their account.
 */
export const consoleLinkRedirectUri = (baseUrl: string): string => `${consoleUrl(baseUrl)}demo`;

/** Returns the link of an invitation. The part after `#` reaches no server and no log. */
export const invitationLink = (baseUrl: string, token: string): string => `${consoleUrl(baseUrl)}join#${token}`;

/** Where the console is, where sign-in returns to it, and its files. */
import { readProgramText } from './program-files.ts';

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

/** Returns the link that signs in whoever opens it, once. The part after `#` reaches no server and no log. */
export const consoleLink = (baseUrl: string, code: string, verifier: string): string =>
  `${consoleLinkRedirectUri(baseUrl)}#${code}.${verifier}`;

/** Returns the paths of its files below `packages/console/dist`, from the list built with them; empty if the console was not built. */
export function consoleFiles(): readonly string[] {
  try {
    return JSON.parse(readProgramText(new URL('../../../../console/dist/files.json', import.meta.url)));
  } catch {
    return [];
  }
}

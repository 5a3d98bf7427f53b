/** Where the service is, and this console below it. */
const named = document.querySelector<HTMLMetaElement>('meta[name="holdfast-base-url"]')?.content;

/** The base URL of the service, without a slash at its end. */
export const baseUrl = named?.startsWith('http') ? named : location.origin;
export const consoleUrl = `${baseUrl}/console/`;
/** The path of the console, without a slash at its end. */
export const consolePath = new URL(consoleUrl).pathname.replace(/\/$/, '');
/** Whether the page was opened at the address that sign-in returns to. */
export const isAtHome = new URL(baseUrl).origin === location.origin;
export const isLoopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(baseUrl).hostname);
/** Of the styles that the editor makes. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[name="holdfast-style-nonce"]')?.nonce ?? '';

/** The addresses of the service and of this console. */
const named = document.querySelector<HTMLMetaElement>('meta[name="holdfast-base-url"]')?.content;

/** The base URL of the service, without a trailing slash. */
export const baseUrl = named?.startsWith('http') ? named : location.origin;
export const consoleUrl = `${baseUrl}/console/`;
/** The path of the console, without a trailing slash. */
export const consolePath = new URL(consoleUrl).pathname.replace(/\/$/, '');
/** Whether the page was opened at the redirect address of sign-in. */
export const isAtHome = new URL(baseUrl).origin === location.origin;
export const isLoopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(baseUrl).hostname);
/** For the styles that the editor creates. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[name="holdfast-style-nonce"]')?.nonce ?? '';

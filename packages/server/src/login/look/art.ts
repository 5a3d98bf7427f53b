/** Pictures of the pages, as inline SVG, so that nothing is fetched. */
import { type Html, html } from '../../common/text/html.ts';

/** The mark of the service: strands above, a root that holds below. */
export const mark = html`<svg viewBox="0 0 32 32" fill="none" stroke="currentColor" stroke-width="2.25" stroke-linecap="round" aria-hidden="true"><path d="M16 21V4M16 21C16 14 9 14 9 6M16 21c0-7 7-7 7-15M16 21c-2.5 3-6 2.5-8.5 7M16 21c2.5 3 6 2.5 8.5 7M16 21v7.5"/></svg>`;

/** A key, for passkeys. */
export const keyIcon = html`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><circle cx="8" cy="8" r="4.5"/><path d="m11.5 11.5 8 8m-3.5-3.5 2.5-2.5M13.5 13.5l2-2"/></svg>`;

const google = html`<svg viewBox="0 0 24 24" aria-hidden="true"><path fill="#4285F4" d="M23.5 12.3c0-.8-.1-1.6-.2-2.3H12v4.5h6.5a5.5 5.5 0 0 1-2.4 3.6v3h3.9c2.2-2.1 3.5-5.2 3.5-8.8z"/><path fill="#34A853" d="M12 24c3.2 0 6-1.1 8-2.9l-3.9-3c-1.1.7-2.5 1.2-4.1 1.2-3.1 0-5.8-2.1-6.7-5H1.3v3.1A12 12 0 0 0 12 24z"/><path fill="#FBBC05" d="M5.3 14.3a7.2 7.2 0 0 1 0-4.6V6.6h-4a12 12 0 0 0 0 10.8l4-3.1z"/><path fill="#EA4335" d="M12 4.8c1.8 0 3.3.6 4.6 1.8L20 3.1A12 12 0 0 0 1.3 6.6l4 3.1c.9-2.8 3.6-4.9 6.7-4.9z"/></svg>`;
const microsoft = html`<svg viewBox="0 0 24 24" aria-hidden="true"><path fill="#F25022" d="M1 1h10.5v10.5H1z"/><path fill="#7FBA00" d="M12.5 1H23v10.5H12.5z"/><path fill="#00A4EF" d="M1 12.5h10.5V23H1z"/><path fill="#FFB900" d="M12.5 12.5H23V23H12.5z"/></svg>`;
const apple = html`<svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true"><path d="M17.05 12.54c-.03-2.79 2.28-4.13 2.38-4.19-1.3-1.9-3.31-2.15-4.02-2.18-1.71-.17-3.34 1.01-4.21 1.01-.87 0-2.2-.99-3.63-.96-1.86.03-3.59 1.08-4.55 2.75-1.94 3.37-.5 8.35 1.39 11.08.93 1.34 2.03 2.83 3.47 2.78 1.4-.06 1.92-.9 3.61-.9 1.68 0 2.16.9 3.63.87 1.5-.03 2.45-1.36 3.36-2.7 1.07-1.55 1.5-3.06 1.53-3.14-.03-.01-2.93-1.12-2.96-4.42zM14.28 4.34c.77-.93 1.29-2.22 1.15-3.51-1.11.05-2.46.74-3.25 1.67-.71.82-1.34 2.14-1.17 3.4 1.24.1 2.5-.63 3.27-1.56z"/></svg>`;
const github = html`<svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true"><path d="M12 .3a12 12 0 0 0-3.8 23.38c.6.12.83-.26.83-.57L9 21.07c-3.34.72-4.04-1.61-4.04-1.61-.55-1.39-1.34-1.76-1.34-1.76-1.08-.74.09-.73.09-.73 1.2.09 1.84 1.24 1.84 1.24 1.07 1.83 2.81 1.3 3.5 1 .1-.78.42-1.31.76-1.61-2.67-.3-5.47-1.33-5.47-5.93 0-1.31.47-2.38 1.24-3.22-.14-.3-.54-1.52.1-3.18 0 0 1-.32 3.3 1.23a11.5 11.5 0 0 1 6 0c2.28-1.55 3.29-1.23 3.29-1.23.64 1.66.24 2.88.12 3.18a4.65 4.65 0 0 1 1.23 3.22c0 4.61-2.8 5.63-5.48 5.92.42.36.81 1.1.81 2.22l-.01 3.29c0 .31.2.69.82.57A12 12 0 0 0 12 .3"/></svg>`;

const providerIcons: Readonly<Record<string, Html>> = {
  'google.com': google,
  'microsoft.com': microsoft,
  'apple.com': apple,
  'github.com': github,
};

/** Returns the logo of an identity provider; a key if it has none. */
export function providerIcon(providerId: string): Html {
  return providerIcons[providerId] ?? keyIcon;
}

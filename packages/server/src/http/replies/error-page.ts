/** The page for a sign-in that can neither continue nor return to the application. */
import { createHash } from 'node:crypto';
import { Html, html } from '../../common/text/html.ts';
import { type Reply, textReply } from './reply.ts';

const style = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}body{margin:15vh auto;max-width:32rem;padding:0 1.5rem}h1{font-size:1.25rem}`;
const styleHash = createHash('sha256').update(style).digest('base64');

/** Allows only this style: no scripts, frames, forms or external resources. */
const headers = [
  'Cache-Control',
  'no-store',
  'Content-Security-Policy',
  `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Referrer-Policy',
  'no-referrer',
  'X-Content-Type-Options',
  'nosniff',
];

/** A 400 page with a plain-language `message`. */
export function errorPageReply(message: string): Reply {
  const page = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sign-in failed</title><style>${new Html(style)}</style></head>
<body><h1>Sign-in cannot go on</h1><p>${message}</p><p>Go back to the application and try again. If this stays, tell its developer.</p></body>
</html>
`;
  return textReply(400, 'text/html; charset=utf-8', page.text, headers);
}

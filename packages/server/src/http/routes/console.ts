/**
 * The console: one page for every address under `/console/`, and the files that it loads. They are built in advance and committed
 * (`packages/console/dist`). Each file is read and compressed on first use, then kept; only built files are served.
 */

import { randomBytes } from 'node:crypto';
import { memoised } from '../../common/async/memoised.ts';
import { consoleUrl } from '../../common/net/console-addresses.ts';
import { readProgramBytes, readProgramText } from '../../common/program/program-files.ts';
import { Refusal } from '../../common/requests/refusal.ts';
import type { HandlersOf } from '../operation-request.ts';
import { keptForEver, neverKept } from '../replies/caching.ts';
import { inCodings } from '../replies/compression.ts';
import { emptyReply, headerList, type Reply, textReply } from '../replies/reply.ts';
import { wantsPage } from '../wire/accepts.ts';

const filePrefix = 'assets/';
const mediaTypes: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

export interface ConsoleOptions {
  /** Known once the service listens. */
  readonly baseUrl: () => string;
  /** Whether the service hands mails to a mail server: only then does an invitation reach its address. */
  readonly sendsMail: boolean;
}

/** The console's handlers. They need no credential: the page shows no data before sign-in. */
export function consoleHandlers({
  baseUrl,
  sendsMail,
}: ConsoleOptions): HandlersOf<'readHome' | 'enterConsole' | 'readConsole'> {
  const files = new Map(consoleFiles().map((name) => [name, memoised(() => prepareFile(name))]));
  const redirect = () => emptyReply(303, [...neverKept, 'Location', consoleUrl(baseUrl())]);

  return {
    readHome: ({ headers }) => {
      if (!wantsPage(headers)) throw pathNotFound();
      return redirect();
    },
    enterConsole: redirect,
    readConsole: async ({ params: { consolePath: path }, headers }) => {
      const file = files.get(path);
      if (file !== undefined) return (await file())(headers['accept-encoding']);
      if (files.size === 0 || path.startsWith(filePrefix)) throw pathNotFound();
      return pageReply(page().replace('__SENDS_MAIL__', String(sendsMail)), baseUrl());
    },
  };
}

let pageText: string | undefined;

function page(): string {
  pageText ??= readProgramText(new URL('../../../../console/dist/index.html', import.meta.url));
  return pageText;
}

const pathNotFound = () => new Refusal('not_found', 'there is nothing at this path');

/** Prepares a listed file in all supported codings. Its name changes with its content, so it may be cached forever. */
async function prepareFile(name: string): Promise<(acceptEncoding: string | string[] | undefined) => Promise<Reply>> {
  const type = mediaTypes[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  return inCodings(readProgramBytes(new URL(`../../../../console/dist/${name}`, import.meta.url)), (body, coding) => ({
    status: 200,
    headers: [
      ...keptForEver,
      ...headerList({
        'X-Content-Type-Options': 'nosniff',
        'Cross-Origin-Resource-Policy': 'same-origin',
        Vary: 'Accept-Encoding, Origin',
        'Content-Encoding': coding,
        'Content-Type': type,
        'Content-Length': String(body.length),
      }),
    ],
    body,
  }));
}

/**
 * The page: no inline scripts, external resources or framing. The nonce is for styles that the editor creates. If the service's base URL
 * has a path, file addresses begin with it.
 */
function pageReply(text: string, baseUrl: string): Reply {
  const nonce = randomBytes(16).toString('base64url');
  const prefix = new URL(baseUrl).pathname.replace(/\/$/, '');
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  const filled = text
    .replaceAll('./assets/', `${prefix}/console/assets/`)
    .replace('__NONCE__', nonce)
    .replace('__BASE_URL__', baseUrl.replaceAll('"', '%22'));
  const headers = headerList({
    'Cache-Control': 'no-store',
    'Content-Security-Policy': policy.join('; '),
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Opener-Policy': 'same-origin',
  });
  return textReply(200, 'text/html; charset=utf-8', filled, headers);
}

/** The paths of the files below `packages/console/dist`, from the list built with them; empty if the console was not built. */
function consoleFiles(): readonly string[] {
  try {
    return JSON.parse(readProgramText(new URL('../../../../console/dist/files.json', import.meta.url)));
  } catch {
    return [];
  }
}

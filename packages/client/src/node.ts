/**
 * Sign-in of desktop programs by the system browser, which returns to a loopback port.
 *
 * @packageDocumentation
 */
import { spawn } from 'node:child_process';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import type { SignedIn, SignInAuth } from './auth/sign-in.ts';
import { HoldfastError } from './errors.ts';
import type { TextStorage } from './storage.ts';

/** Options of {@link signInWithBrowser}. */
export interface LoopbackOptions {
  /** `http://127.0.0.1:PORT/path`, as in `auth` and as registered. */
  readonly redirectUri: string;
  /** Time to sign in; 5 minutes unless given. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** Opens an address in the system browser: the `openUrl` of `createAuth`. */
export function openBrowser(url: string): void {
  const [command, ...args]: readonly [string, ...string[]] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', url]
        : ['xdg-open', url];
  const opened = spawn(command, args, { stdio: 'ignore', detached: true });
  opened.on('error', () => console.error(`Open ${url}`));
  opened.unref();
}

/**
 * Signs in by the browser: the `openUrl` of `auth` opens the login page, which returns to a port that is open meanwhile. Returns who signed
 * in. Rejects with the error of the login page, or with `timeout`.
 *
 * @see RFC 8252 §7.3
 */
export async function signInWithBrowser(auth: SignInAuth, options: LoopbackOptions): Promise<SignedIn> {
  const { redirectUri, timeoutMs = 300_000, signal } = options;
  const { hostname, port, pathname } = new URL(redirectUri);
  const server = createServer();
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  try {
    return await new Promise<SignedIn>((resolve, reject) => {
      onAbort = () => reject(signal?.reason);
      signal?.addEventListener('abort', onAbort, { once: true });
      if (signal?.aborted) return onAbort();
      timer = setTimeout(() => reject(new HoldfastError('timeout', 'nobody has signed in in time')), timeoutMs);
      server.on('error', reject);
      server.on('request', (request, response) => {
        const url = new URL(request.url ?? '/', redirectUri);
        const say = (status: number, text: string): void => {
          response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' }).end(`${text}\n`);
        };
        if (url.pathname !== pathname) return say(404, 'There is nothing here.');
        auth.handleRedirect(url.href).then(
          (signedIn) => {
            if (signedIn === null) return say(400, 'Nobody here has asked for this.');
            say(200, 'You are signed in. You can close this window.');
            resolve(signedIn);
          },
          (failure: Error) => {
            say(400, `The sign-in failed: ${failure.message}`);
            reject(failure);
          },
        );
      });
      server.listen(Number(port), hostname.replace(/^\[|\]$/g, ''), () => void auth.signIn().catch(reject));
    });
  } finally {
    clearTimeout(timer);
    if (onAbort !== undefined) signal?.removeEventListener('abort', onAbort);
    server.close();
  }
}

/** Keeps texts as files in a folder that only this user can read. */
export function fileStorage(folder: string): TextStorage {
  const pathOf = (name: string): string => join(folder, encodeURIComponent(name));
  return {
    get: (name) =>
      readFile(pathOf(name), 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined;
        throw error;
      }),
    async set(name, text) {
      const path = pathOf(name);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      // A crash leaves the old text or the new one.
      await writeFile(`${path}.new`, text, { mode: 0o600 });
      await rename(`${path}.new`, path);
    },
    delete: (name) => rm(pathOf(name), { force: true }),
  };
}

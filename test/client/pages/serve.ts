/** Pages for the tests: bundled programs at a separate origin. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

export interface Pages {
  readonly origin: string;
  /** Adds a page, and returns its address. */
  add(path: string, html: string): string;
  close(): void;
}

/** Bundles a program for a browser. */
export async function bundlePage(name: string, alias: Readonly<Record<string, string>> = {}): Promise<string> {
  const built = await rolldown({
    input: join(import.meta.dirname, name),
    platform: 'browser',
    resolve: { alias },
    transform: { define: { 'process.env.NODE_ENV': '"development"' } },
  });
  const { output } = await built.generate({ format: 'esm', codeSplitting: false });
  await built.close();
  return output[0].code;
}

/** Paths of the React 18 packages by name. */
export function react18(): Record<string, string> {
  const { resolve } = createRequire(join(import.meta.dirname, '../../../packages/client-check/package.json'));
  const names = ['react', 'react/jsx-runtime', 'react-dom', 'react-dom/client', 'scheduler'];
  return Object.fromEntries(names.reverse().map((name) => [name, resolve(name)]));
}

/** Serves pages, and programs by name. */
export async function servePages(programs: Readonly<Record<string, string>>): Promise<Pages> {
  const pages = new Map<string, string>();
  const server = createServer(({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://127.0.0.1');
    const program = programs[pathname.slice(1)];
    response.setHeader('Content-Type', program === undefined ? 'text/html; charset=utf-8' : 'text/javascript');
    response.end(program ?? pages.get(pathname) ?? '');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    add(path, html) {
      pages.set(path, html);
      return origin + path;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** How the service releases what it has opened. Everything else of it is tested through the front door, below test/. */

import { execFileSync } from 'node:child_process';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, test, vi } from 'vitest';
import { type Config, readConfig } from './config/config.ts';
import { freePort } from './free-port.fixture.ts';
import { type Running, type ServeOptions, serve } from './main.ts';
import { openSqliteStore } from './storage/sqlite/store.ts';
import { temporary } from './storage/sqlite/temporary.fixture.ts';
import type { Store } from './storage/store.ts';

const files = temporary();
const running: Running[] = [];
const occupied: Server[] = [];
afterEach(async () => {
  for (const service of running.splice(0)) await service.stop().catch(() => undefined);
  for (const server of occupied.splice(0)) server.close();
});

/** Listens on a free port, as another program may. */
async function occupy(): Promise<number> {
  const server = createServer();
  occupied.push(server);
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
}

/** Starts a service whose log and store record here when they were closed. */
async function start(settings: Readonly<Record<string, string>>, closeStore?: (store: Store) => Promise<void>) {
  const events: string[] = [];
  const lines: string[] = [];
  const dataDir = files.directory();
  const options: ServeOptions = {
    logOutput: {
      write: (line) => void lines.push(line),
      close: async () => void events.push('log closed'),
    },
    openStore: async () => {
      const store = await openSqliteStore({ dataDir });
      const close = store.close.bind(store);
      return Object.assign(store, {
        close: async () => {
          await close();
          events.push('store closed');
          await closeStore?.(store);
        },
      });
    },
  };
  const starting = serve(configOf({ SVC_DATA_DIR: dataDir, ...settings }), options);
  await starting.then(
    (service) => running.push(service),
    () => undefined,
  );
  return { starting, events, lines };
}

function configOf(settings: Readonly<Record<string, string>>): Config {
  const read = readConfig({ SVC_HOST: '127.0.0.1', SVC_PORT: '0', ...settings });
  if (read.kind === 'faults') throw new Error(read.faults.join('\n'));
  return read.config;
}

const quiet = { write: () => undefined, close: async () => undefined };

const answers = (port: number) =>
  fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(2_000) }).then(
    () => true,
    () => false,
  );

test('a busy metrics port stops the start, with all its parts', async () => {
  const [port, metricsPort] = [await freePort(), await occupy()];
  const { starting, events } = await start({ SVC_PORT: String(port), SVC_METRICS_PORT: String(metricsPort) });
  await expect(starting).rejects.toMatchObject({ code: 'EADDRINUSE', port: metricsPort });
  expect(await answers(port)).toBe(false);
  expect(events).toEqual(['store closed', 'log closed']);
});

test('a busy port stops the start, metrics included', async () => {
  const [port, metricsPort] = [await occupy(), await freePort()];
  const { starting, events } = await start({ SVC_PORT: String(port), SVC_METRICS_PORT: String(metricsPort) });
  await expect(starting).rejects.toMatchObject({ code: 'EADDRINUSE', port });
  expect(await answers(metricsPort)).toBe(false);
  expect(events).toEqual(['store closed', 'log closed']);
});

test.each(['SVC_PORT', 'SVC_METRICS_PORT'])('a busy %s stops the start before the database gets a schema', async (name) => {
  const dataDir = files.directory();
  const busy = { SVC_DATA_DIR: dataDir, [name]: String(await occupy()) };
  await expect(serve(configOf(busy), { logOutput: quiet })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  const database = new DatabaseSync(join(dataDir, 'holdfast.sqlite'));
  expect(database.prepare('SELECT name FROM sqlite_schema').all()).toEqual([]);
  database.close();
});

test('a failed start reports its cause, even if something could not be released', async () => {
  const fail = () => Promise.reject(new Error('the disk is gone'));
  const { starting, events, lines } = await start({ SVC_PORT: String(await occupy()) }, fail);
  await expect(starting).rejects.toMatchObject({ code: 'EADDRINUSE' });
  expect(events).toEqual(['store closed', 'log closed']);
  expect(lines.join('')).toContain('could not close the store');
  expect(lines.join('')).toContain('the disk is gone');
});

test('a stop finishes requests in flight, then closes the rest in reverse order of opening', async () => {
  const port = await freePort();
  const metricsPort = await freePort();
  const { starting, events } = await start({ SVC_PORT: String(port), SVC_METRICS_PORT: String(metricsPort) });
  const service = await starting;
  const checked = Promise.withResolvers<void>();
  const checking = vi.spyOn(service.store, 'checkReady').mockReturnValueOnce(checked.promise);
  const inFlight = fetch(`${service.baseUrl}/readyz`);
  await expect.poll(() => checking.mock.calls.length).toBe(1);
  const stopping = service.stop();
  expect(service.stop()).toBe(stopping);
  await expect.poll(() => answers(port)).toBe(false);
  expect((await fetch(`${service.metricsUrl}`)).status).toBe(200); // the drain can be watched
  expect(events).toEqual([]);
  checked.resolve();
  expect((await inFlight).status).toBe(200);
  await stopping;
  expect(await answers(metricsPort)).toBe(false);
  expect(events).toEqual(['store closed', 'log closed']);
});

test('a part that cannot be released is reported, and does not block the rest', async () => {
  const metricsPort = await freePort();
  const { starting, events, lines } = await start({ SVC_METRICS_PORT: String(metricsPort) }, () =>
    Promise.reject(new Error('the disk is gone')),
  );
  const service = await starting;
  await expect(service.stop()).rejects.toThrow('cannot close the store: the disk is gone');
  expect(await answers(metricsPort)).toBe(false);
  expect(events).toEqual(['store closed', 'log closed']);
  expect(lines.join('')).toContain('could not close the store');
});

test('a service is ready once its preparation has finished, and a failing preparation stops the start', async () => {
  const port = await freePort();
  const prepared = Promise.withResolvers<void>();
  const folder = () => ({ SVC_DATA_DIR: files.directory() });
  const config = configOf({ ...folder(), SVC_PORT: String(port) });
  const ready = () => fetch(`http://127.0.0.1:${port}/readyz`).then(({ status }) => status);
  const starting = serve(config, { logOutput: quiet, prepare: () => prepared.promise });
  await expect.poll(() => answers(port)).toBe(true);
  expect(await ready()).toBe(503);
  prepared.resolve();
  running.push(await starting);
  expect(await ready()).toBe(200);
  const other = configOf({ ...folder(), SVC_PORT: String(await freePort()) });
  const prepare = () => Promise.reject(new Error('the disk is full'));
  await expect(serve(other, { logOutput: quiet, prepare })).rejects.toThrow('the disk is full');
  expect(await answers(other.port)).toBe(false);
});

test('the service starts without the HTTP client of the runtime, and without TLS', () => {
  const program = "await import('./main.ts'); console.log(process.moduleLoadList.join('\\n'))";
  const loaded = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  });
  expect(loaded).toContain('NativeModule _http_server');
  expect(loaded).not.toMatch(/undici|NativeModule (tls|https)$/m);
});

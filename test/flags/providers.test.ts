/** The programs in docs/feature-flags.md run as they stand there: unmodified OpenFeature providers against the service. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
import { OpenFeature, type Provider, ProviderEvents } from '@openfeature/web-sdk';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startServer, type TestServer } from '../support/server.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/feature-flags.md'), 'utf8');
const documentOfPage = JSON.parse(/^```json\n([\s\S]*?)^```/m.exec(page)?.[1] ?? '');

/** The program below a heading. */
function programOf(heading: string): string {
  const section = page.split(/^### /m).find((part) => part.startsWith(`${heading}\n`));
  const program = /^```js\n([\s\S]*?)^```/m.exec(section ?? '')?.[1];
  if (program === undefined) throw new Error(`docs/feature-flags.md has no program below ${heading}`);
  return program;
}

let server: TestServer;
let folder: string;
let environment: Record<string, string>;
let write: (version: number, state: unknown) => Promise<unknown>;
beforeAll(async () => {
  server = await startServer();
  folder = mkdtempSync(join(tmpdir(), 'holdfast-flags-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const project = await server.newProject();
  const path = `${project.path}/public-state/staging`;
  const { apiKey } = await server.newApiKey(project);
  const { apiKey: publishable } = await server.newApiKey(project, { kind: 'publishable' });
  environment = {
    HOLDFAST_URL: server.baseUrl,
    HOLDFAST_FLAGS_URL: server.baseUrl + path,
    HOLDFAST_API_KEY: apiKey,
    HOLDFAST_PUBLISHABLE_KEY: publishable,
  };
  write = (version, state) =>
    server.call('PUT', path, {
      headers: {
        Authorization: `ApiKey ${apiKey}`,
        ...(version === 0 ? { 'If-None-Match': '*' } : { 'If-Match': `"${version}"` }),
      },
      body: { state },
    });
  // As the page does it.
  const command = /^```sh\n([\s\S]*?)^```/m.exec(page)?.[1] ?? '';
  writeFileSync(join(folder, 'flags.json'), JSON.stringify(documentOfPage));
  mkdirSync(join(folder, 'data'));
  const state = `${server.baseUrl}${project.path}/public-state/development`;
  writeFileSync(join(folder, 'data/dev.env'), `export HOLDFAST_STATE_URL=${state} HOLDFAST_API_KEY=${apiKey}\n`);
  const { stdout } = await promisify(execFile)('sh', ['-c', command], {
    cwd: folder,
  });
  expect(JSON.parse(stdout)).toEqual({
    version: 1,
    state: documentOfPage,
    comment: 'the first flags',
    stateSizeBytes: JSON.stringify(documentOfPage).length,
  });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

async function run(heading: string): Promise<string> {
  const file = join(folder, 'program.mjs');
  writeFileSync(file, programOf(heading));
  const env = { ...process.env, ...environment };
  const { stdout } = await promisify(execFile)(process.execPath, ['--preserve-symlinks-main', file], { env });
  return stdout;
}

test.each(['On a server', 'With the TypeScript client', 'In a browser or a game'])(
  '%s: the program prints the values of the flags',
  async (heading) => {
    expect(await run(heading)).toBe('new shop: true\ngold: 10\n');
  },
);

describe('the web provider', () => {
  afterAll(() => OpenFeature.close());

  test('learns of a new version by polling, and gets 304 until then', async () => {
    const statuses: number[] = [];
    const provider = new OFREPWebProvider({
      baseUrl: environment.HOLDFAST_FLAGS_URL as string,
      headers: [['Authorization', `ApiKey ${environment.HOLDFAST_PUBLISHABLE_KEY}`]],
      pollInterval: 50,
      fetchImplementation: async (input: string | URL | Request, init?: RequestInit) => {
        const response = await fetch(input, init);
        statuses.push(response.status);
        return response;
      },
    });
    const changed = vi.fn();
    await OpenFeature.setContext({ targetingKey: 'player-7' });
    await OpenFeature.setProviderAndWait(provider as Provider); // its types allow undefined where the SDK leaves members out
    const client = OpenFeature.getClient();
    client.addHandler(ProviderEvents.ConfigurationChanged, changed);
    expect(client.getNumberDetails('gold-per-win', 5)).toMatchObject({ value: 10, variant: 'normal', reason: 'STATIC' });
    expect(client.getNumberDetails('none', 5)).toMatchObject({ value: 5, errorCode: 'FLAG_NOT_FOUND' });
    await vi.waitFor(() => expect(statuses).toContain(304), { timeout: 5_000 });

    const flags = { ...documentOfPage.flags, bad: { state: 'ENABLED', variants: {}, targeting: { iff: [] } } };
    flags['gold-per-win'] = { ...flags['gold-per-win'], defaultVariant: 'event' };
    await write(1, { ...documentOfPage, flags });
    await vi.waitFor(() => expect(changed).toHaveBeenCalled(), { timeout: 5_000 });
    expect(client.getNumberValue('gold-per-win', 5)).toBe(25);
    expect(client.getBooleanDetails('bad', true)).toMatchObject({ value: true, errorCode: 'PARSE_ERROR' });
  });
});

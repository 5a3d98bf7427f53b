/** The programs in docs/feature-flags.md, and a service with a project like the demo's, to which one of them has added the page's flags. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { startServer } from '../support/server.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/feature-flags.md'), 'utf8');
export const documentOfPage = JSON.parse(/^```json\n([\s\S]*?)^```/m.exec(page)?.[1] ?? '');

/** The program below a heading. */
function programOf(heading: string): string {
  const section = page.split(/^##+ /m).find((part) => part.startsWith(`${heading}\n`));
  const program = /^```js\n([\s\S]*?)^```/m.exec(section ?? '')?.[1];
  if (program === undefined) throw new Error(`docs/feature-flags.md has no program below ${heading}`);
  return program;
}

export interface FlagsWorld {
  readonly environment: Readonly<Record<string, string>>;
  /** Writes the document over a version. Its flags are in version 2. */
  write(version: number, state: unknown): Promise<unknown>;
  /** Runs the program below a heading, and resolves with its output. */
  run(heading: string): Promise<string>;
  stop(): Promise<void>;
}

export async function openFlagsWorld(): Promise<FlagsWorld> {
  const server = await startServer();
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-flags-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const project = await server.newProject();
  const path = `${project.path}/public-state/development`;
  const { apiKey } = await server.newApiKey(project);
  const { apiKey: publishable } = await server.newApiKey(project, { kind: 'publishable', environments: ['development'] });
  const environment = {
    HOLDFAST_URL: server.baseUrl,
    HOLDFAST_STATE_URL: server.baseUrl + path,
    HOLDFAST_ENVIRONMENT: 'development',
    HOLDFAST_API_KEY: apiKey,
    HOLDFAST_PUBLISHABLE_KEY: publishable,
  };
  const write = (version: number, state: unknown) =>
    server.call('PUT', path, {
      headers: {
        Authorization: `ApiKey ${apiKey}`,
        ...(version === 0 ? { 'If-None-Match': '*' } : { 'If-Match': `"${version}"` }),
      },
      body: { state },
    });
  const run = async (heading: string) => {
    const file = join(folder, 'program.mjs');
    writeFileSync(file, programOf(heading));
    const env = { ...process.env, ...environment };
    const { stdout } = await promisify(execFile)(process.execPath, ['--preserve-symlinks-main', file], {
      env,
      cwd: folder,
    });
    return stdout;
  };
  const others = { greeting: 'Hello', flags: { other: documentOfPage.flags['gold-per-win'] } };
  await write(0, others);
  writeFileSync(join(folder, 'flags.json'), JSON.stringify(documentOfPage));
  cpSync(join(root, 'packages/client/bundle/client.js'), join(folder, 'client.mjs'));
  expect(await run('A document with flags')).toBe('version 2\n');
  const { json } = await server.call('GET', path, { headers: { Authorization: `ApiKey ${apiKey}` } });
  expect(json).toMatchObject({
    version: 2,
    state: { ...others, ...documentOfPage, flags: { ...others.flags, ...documentOfPage.flags } },
    comment: 'the first flags',
  });
  return {
    environment,
    write,
    run,
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

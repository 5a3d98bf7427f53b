/** The programs in docs/feature-flags.md, and a service with that page's flags. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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
  const section = page.split(/^### /m).find((part) => part.startsWith(`${heading}\n`));
  const program = /^```js\n([\s\S]*?)^```/m.exec(section ?? '')?.[1];
  if (program === undefined) throw new Error(`docs/feature-flags.md has no program below ${heading}`);
  return program;
}

export interface FlagsWorld {
  readonly environment: Readonly<Record<string, string>>;
  /** Writes the flags over a version; 0 creates the document. */
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
  const path = `${project.path}/public-state/staging`;
  const { apiKey } = await server.newApiKey(project);
  const { apiKey: publishable } = await server.newApiKey(project, { kind: 'publishable' });
  const environment = {
    HOLDFAST_URL: server.baseUrl,
    HOLDFAST_FLAGS_URL: server.baseUrl + path,
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
  // As on the page.
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
  return {
    environment,
    write,
    async run(heading) {
      const file = join(folder, 'program.mjs');
      writeFileSync(file, programOf(heading));
      const env = { ...process.env, ...environment };
      const { stdout } = await promisify(execFile)(process.execPath, ['--preserve-symlinks-main', file], { env });
      return stdout;
    },
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

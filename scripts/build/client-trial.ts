/** Shared by the trials of `@holdfast/client` in other runtimes: the published package, and a service to try it with. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Credentials, withServer } from '../../tooling/credentials.ts';
import { run } from '../../tooling/programs.ts';
import { withFolder } from '../../tooling/workspace.ts';
import { buildClient } from './client.ts';

/** Options of a client of the demo project. */
export interface DemoOptions {
  readonly baseUrl: string;
  readonly accountId: string;
  readonly project: string;
  readonly environment: string;
  readonly auth: { readonly apiKey: string };
}

/** Installs packages in a separate folder, without running their scripts. */
export function installIn(folder: string, ...what: readonly string[]): void {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  run('npm', ['install', ...what, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], folder);
}

/** Packs the client and installs it, and other packages beside it. Returns its folder, which also contains the program of the trials. */
export async function installClient(at: string, ...others: readonly string[]): Promise<string> {
  await buildClient(join(at, 'dist'));
  const file = run('npm', ['pack', join(at, 'dist'), '--silent', '--pack-destination', at], at).trim();
  const app = join(at, 'app');
  installIn(app, join(at, file), ...others);
  cpSync(join(import.meta.dirname, 'client-program.mjs'), join(app, 'program.mjs'));
  return app;
}

/** Runs `work` with a folder, and with the service and its demo project. */
export const withTrial = (
  name: string,
  work: (at: string, options: DemoOptions, credentials: Credentials) => Promise<void>,
): Promise<void> =>
  withFolder(name, (at) =>
    withServer({}, (_server, credentials) => {
      const { baseUrl, accountId, slug: project, apiKey } = credentials;
      return work(at, { baseUrl, accountId, project, environment: 'development', auth: { apiKey } }, credentials);
    }),
  );

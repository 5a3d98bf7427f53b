/** The first credentials of a server with an empty data folder. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { createApi, expectStatus } from './api.ts';
import { holdfastCommand, serverEnvironment } from './server-process.ts';

export interface Credentials {
  readonly baseUrl: string;
  readonly hostname: string;
  readonly port: number;
  /** As sent in the header. */
  readonly host: string;
  readonly accountId: string;
  /** The demo project. */
  readonly slug: string;
  readonly apiKey: string;
  readonly developerToken: string;
}

const patienceMilliseconds = 10_000;

/** Returns the demo credentials that the server at `baseUrl` writes at its start; rejects if none appear. */
export async function readCredentials(dataDir: string, baseUrl: string): Promise<Credentials> {
  const path = join(dataDir, 'dev.env');
  const deadline = Date.now() + patienceMilliseconds;
  for (;;) {
    const {
      HOLDFAST_ACCOUNT_ID: accountId,
      HOLDFAST_PROJECT: slug,
      HOLDFAST_API_KEY: apiKey,
      HOLDFAST_DEVELOPER_TOKEN: developerToken,
    } = readVariables(path);
    if (accountId && slug && apiKey && developerToken) {
      const { hostname, port, host } = new URL(baseUrl);
      return { baseUrl, hostname, port: Number(port), host, accountId, slug, apiKey, developerToken };
    }
    if (Date.now() > deadline) throw new Error(`${path} does not hold the demo credentials`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/**
 * Returns the first credentials of an empty server's operator: those of the demo, or, over PostgreSQL, which has no demo, those of a new
 * account. `settings` are the server's variables.
 */
export function firstCredentials(
  dataDir: string,
  baseUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Credentials> {
  if (settings.SVC_DATABASE_URL === undefined) return readCredentials(dataDir, baseUrl);
  return createAccount(dataDir, { baseUrl }, settings);
}

function readVariables(path: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(path, 'utf8').replaceAll(/^export /gm, ''));
  } catch {
    return {};
  }
}

/**
 * Creates an account with a project beside the running server, like an operator, and returns its credentials. `program` is the command, by
 * default this repository's.
 */
export async function createAccount(
  dataDir: string,
  { baseUrl }: Pick<Credentials, 'baseUrl'>,
  settings: Readonly<Record<string, string>> = {},
  program = holdfastCommand,
): Promise<Credentials> {
  const { hostname, port, host } = new URL(baseUrl);
  const command = [program, 'account', 'create', '--name', 'Torture', '--json'];
  const env = serverEnvironment({ ...settings, SVC_DATA_DIR: dataDir, SVC_BASE_URL: baseUrl });
  const { stdout } = await promisify(execFile)(process.execPath, command, { env });
  const account = JSON.parse(stdout) as { accountId: string; developerToken: string };
  const slug = 'torture';
  const known = { ...account, baseUrl, hostname, port: Number(port), host, slug };
  return { ...known, apiKey: await createProject(known, slug) };
}

/** Creates a project in the account and returns the text of its API key. */
export async function createProject(
  { baseUrl, accountId, developerToken }: Omit<Credentials, 'apiKey'>,
  slug: string,
): Promise<string> {
  const api = createApi(baseUrl, `Bearer ${developerToken}`);
  const projects = `/v1/${accountId}/projects`;
  expectStatus(await api.send('POST', projects, { body: JSON.stringify({ slug }) }), 201);
  const key = await api.send('POST', `${projects}/${slug}/api-keys`, { body: JSON.stringify({ name: 'torture' }) });
  api.close();
  return (JSON.parse(expectStatus(key, 201).text) as { apiKey: string }).apiKey;
}

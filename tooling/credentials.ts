/** Servers with credentials: those of an empty data folder, and further accounts, projects and keys. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { freePort } from '../packages/server/src/free-port.fixture.ts';
import { ask } from './api.ts';
import {
  runCommand,
  type ServerProcess,
  type ServerProcessOptions,
  type Settings,
  startServerProcess,
  withDataDir,
} from './server-process.ts';
import { until } from './until.ts';

export interface Credentials {
  readonly baseUrl: string;
  readonly hostname: string;
  readonly port: number;
  /** Value of the `Host` header. */
  readonly host: string;
  readonly accountId: string;
  /** The demo project. */
  readonly slug: string;
  readonly apiKey: string;
  readonly developerToken: string;
}

/** Location of a project. */
export type ProjectPlace = Pick<Credentials, 'accountId' | 'slug'>;

/** The path of a project. */
export const projectPath = ({ accountId, slug }: ProjectPlace): string => `/v1/${accountId}/projects/${slug}`;

/** The path of a project's public state in an environment. */
export const publicStatePath = (place: ProjectPlace, environment: string): string =>
  `${projectPath(place)}/public-state/${environment}`;

/** The path of a player's own save in an environment. */
export const userStatePath = (place: ProjectPlace, environment: string): string =>
  `${projectPath(place)}/user-state/${environment}`;

/** Parses a server address into fields of credentials. */
export function addressOf(baseUrl: string): Pick<Credentials, 'baseUrl' | 'hostname' | 'port' | 'host'> {
  const { hostname, port, host } = new URL(baseUrl);
  return { baseUrl, hostname, port: Number(port), host };
}

const patienceMilliseconds = 60_000;

/** Returns the demo credentials that the server at `baseUrl` writes at its start; rejects if none appear. */
export async function readCredentials(dataDir: string, baseUrl: string): Promise<Credentials> {
  const path = join(dataDir, 'dev.env');
  let found: Credentials | undefined;
  const otherwise = `${path} does not hold the demo credentials`;
  const isWritten = () => {
    found = demoCredentials(path, baseUrl);
    return found !== undefined;
  };
  await until(isWritten, { withinMilliseconds: patienceMilliseconds, otherwise });
  return found as unknown as Credentials;
}

function demoCredentials(path: string, baseUrl: string): Credentials | undefined {
  const {
    HOLDFAST_ACCOUNT_ID: accountId,
    HOLDFAST_PROJECT: slug,
    HOLDFAST_API_KEY: apiKey,
    HOLDFAST_DEVELOPER_TOKEN: developerToken,
  } = readVariables(path);
  if (!accountId || !slug || !apiKey || !developerToken) return undefined;
  return { ...addressOf(baseUrl), accountId, slug, apiKey, developerToken };
}

/** The variables of `dev.env`; none if it does not exist. */
export function readVariables(path: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(path, 'utf8').replaceAll(/^export /gm, ''));
  } catch {
    return {};
  }
}

/**
 * Returns the first credentials on an empty server: those of the demo, or those of a new account over PostgreSQL, which has no demo.
 * `settings` are the server's variables.
 */
export function firstCredentials(dataDir: string, baseUrl: string, settings: Settings = {}): Promise<Credentials> {
  if (settings.SVC_DATABASE_URL === undefined) return readCredentials(dataDir, baseUrl);
  return createAccount(dataDir, { baseUrl }, settings);
}

/** Runs `work` with a server in an empty data folder and its first credentials. The server is killed afterwards. */
export function withServer<Result>(
  options: Omit<ServerProcessOptions, 'dataDir' | 'port'>,
  work: (server: ServerProcess, credentials: Credentials, dataDir: string) => Promise<Result>,
): Promise<Result> {
  return withDataDir(async (dataDir) => {
    const server = await startServerProcess({ ...options, dataDir, port: await freePort() });
    try {
      return await work(server, await firstCredentials(dataDir, server.baseUrl, options.env), dataDir);
    } finally {
      await server.kill();
    }
  });
}

/**
 * Creates an account with a project while the server runs, like an operator, and returns its credentials. `program` is the command, by
 * default this repository's.
 */
export async function createAccount(
  dataDir: string,
  { baseUrl }: Pick<Credentials, 'baseUrl'>,
  settings: Settings = {},
  program?: string,
): Promise<Credentials> {
  const command = ['account', 'create', '--name', 'Torture', '--json'];
  const made = await runCommand(command, dataDir, { ...settings, SVC_BASE_URL: baseUrl }, program);
  const { accountId, developerToken } = JSON.parse(made) as Pick<Credentials, 'accountId' | 'developerToken'>;
  const known = { ...addressOf(baseUrl), accountId, developerToken, slug: 'torture' };
  return { ...known, apiKey: await createProject(known, known.slug) };
}

type Owner = Pick<Credentials, 'baseUrl' | 'accountId' | 'developerToken'>;

/** A developer of the account, for `ask`. */
export const asDeveloper = ({ baseUrl, developerToken }: Pick<Credentials, 'baseUrl' | 'developerToken'>) => ({
  baseUrl,
  authorization: `Bearer ${developerToken}`,
});

/** Creates a project in the account and returns its API key. */
export async function createProject(owner: Owner, slug: string): Promise<string> {
  await ask(asDeveloper(owner), 201, 'POST', `/v1/${owner.accountId}/projects`, { body: { slug } });
  return (await createApiKey({ ...owner, slug }, { name: 'torture' })).apiKey;
}

/** Creates an API key of a project. */
export async function createApiKey(owner: Owner & ProjectPlace, body: object): Promise<{ id: string; apiKey: string }> {
  const { text } = await ask(asDeveloper(owner), 201, 'POST', `${projectPath(owner)}/api-keys`, { body });
  return JSON.parse(text) as { id: string; apiKey: string };
}

/** Sets up player sign-in for a project: for guests only, unless changed. */
export async function allowSignIn(owner: Owner & ProjectPlace, changes: object = {}): Promise<void> {
  const body = signInSettings(changes);
  await ask(asDeveloper(owner), 200, 'PUT', `${projectPath(owner)}/auth/end-user/config`, { body });
}

/** All settings of player sign-in: for guests only, unless changed. */
export const signInSettings = (changes: object): object => ({
  enabled: true,
  redirectUris: ['https://app.example/'],
  allowedIdps: ['anonymous'],
  logoData: null,
  logoMediaType: null,
  primaryColor: '#3b5bdb',
  surfaceColor: null,
  bgColor: '#ffffff',
  ...changes,
});

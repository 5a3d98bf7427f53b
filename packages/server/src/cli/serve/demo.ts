/** The demo of the first start: a project with a document, players who may be guests, and credentials to try it. */

import { lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { builtInMethods, type CreateApiKeyBody, type SignInSettings } from '@holdfast/contract';
import { readTextFile } from '../../common/files/text-file.ts';
import { isLoopback } from '../../common/net/loopback.ts';
import { hashApiKey } from '../../common/secrets/api-key-text.ts';
import { now } from '../../common/time/clock.ts';
import type { Config } from '../../config/config.ts';
import { newAccount } from '../../management/accounts.ts';
import { createApiKey } from '../../management/api-keys.ts';
import { createProject } from '../../management/projects.ts';
import { changeSignInSettings, withChange } from '../../management/sign-in-settings.ts';
import { createSealer } from '../../secrets/sealer.ts';
import { loadOrCreateSecretKeys } from '../../secrets/secret-key.ts';
import { publishableKeyPurpose } from '../../storage/contract/api-keys.ts';
import type { PublicStateKey } from '../../storage/contract/public-states.ts';
import type { Store } from '../../storage/store.ts';
import { makeConsoleLink } from '../console-link.ts';
import { replacePrivateFile, shellWord } from '../files.ts';
import { byCommand, developerTokenHoursMax, issueDeveloperToken, openKeyring } from '../operator.ts';

const slug = 'hello';
const environment = 'development';
/** Where the pages of docs/first-game.md are. */
const gameUri = 'http://localhost:5173/';
const stateText = JSON.stringify({ greeting: 'Hello from Holdfast', features: { darkMode: false }, levels: [1, 2, 3] });

/** Used while the demo is being created, and after a start that was killed meanwhile. */
const unfinishedName = 'HOLDFAST_UNFINISHED_ACCOUNT_ID';

/** The first line of a file that a start wrote. */
const firstLine = {
  unfinished: '# The demo project is being created.\n',
  finished: '# Address and credentials of the demo project.',
} as const;
const firstLines = Object.values(firstLine);

/** The demo in its current state. */
export interface Demo {
  /** Shell variables with address and credentials. */
  readonly envFile: string;
  /** The publishable key for a game. */
  readonly gameKey: string;
  /** Signs in the person who opens it in a browser, once. Undefined without the console. */
  readonly consoleLink: string | undefined;
}

interface Credentials {
  readonly accountId: string;
  readonly apiKey: string;
  /** Undefined in a demo of an earlier release. */
  readonly gameKey: string | undefined;
}

/**
 * Returns the demo, or undefined. It is created if `mayHaveDemo` and the store is empty. Its credentials are written only to `dev.env` in
 * the data folder. A demo of an earlier start is kept, and its address, developer token and link are updated. A demo that an earlier start
 * did not finish is deleted. A file that no start wrote is left alone.
 */
export async function ensureDemo(store: Store, config: Config, baseUrl: string): Promise<Demo | undefined> {
  const envFile = join(config.dataDir, 'dev.env');
  if (config.databaseUrl !== undefined || !isOwnOrAbsent(envFile)) return undefined;
  await deleteUnfinished(store, envFile);
  if (!mayHaveDemo(config, baseUrl)) return undefined;
  const credentials = (await store.isEmpty()) ? await makeDemo(store, config, envFile) : await findDemo(store, envFile);
  if (!credentials) return undefined;
  const { accountId, apiKey, gameKey = await makeGameKey(store, config, accountId) } = credentials;
  const keyring = openKeyring(store, config, () => baseUrl);
  const { developerToken } = await issueDeveloperToken(keyring, accountId, developerTokenHoursMax);
  const consoleLink = config.console === 'on' ? (await makeConsoleLink(store, accountId, baseUrl)).url : undefined;
  replacePrivateFile(envFile, envText({ baseUrl, accountId, apiKey, gameKey, developerToken, consoleLink }));
  rmSync(noteOf(envFile), { force: true });
  if ((await store.readPublicState(stateKey(accountId))).kind !== 'present') return undefined;
  return { envFile, gameKey, consoleLink };
}

/** Whether nobody on another machine can reach the service, directly or through a proxy, and the operator has not disabled the demo. */
const mayHaveDemo = ({ demo, host }: Config, baseUrl: string): boolean =>
  demo === 'on' && isLoopback(host) && isLoopback(new URL(baseUrl).hostname);

/** Whether a start may write this file: it does not exist, or a start of the same user wrote it. */
function isOwnOrAbsent(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return true;
  const isOwn = found.isFile() && (process.getuid === undefined || found.uid === process.getuid());
  return isOwn && firstLines.some((line) => readText(path).startsWith(line));
}

const stateKey = (accountId: string): PublicStateKey => ({ accountId, slug, environment });

/** Deletes the account of an unfinished demo with all its contents. Nobody has its credentials. */
async function deleteUnfinished(store: Store, envFile: string): Promise<void> {
  const finished = readEnvFile(envFile).HOLDFAST_ACCOUNT_ID;
  // Earlier releases wrote it into the file with the credentials.
  for (const file of [noteOf(envFile), envFile]) {
    const accountId = readEnvFile(file)[unfinishedName];
    if (!accountId) continue;
    if (accountId !== finished) await store.deleteAccount(accountId);
    rmSync(file);
  }
}

/** The file that names the account of a demo under creation, so that the other file is always complete or missing. */
const noteOf = (envFile: string): string => `${envFile}.unfinished`;

/** Creates the demo. A note names the account before the account exists, and is removed once the credentials are stored. */
async function makeDemo(store: Store, config: Config, envFile: string): Promise<Credentials> {
  const madeAt = now();
  const account = newAccount('Demo', madeAt);
  const { accountId } = account;
  replacePrivateFile(noteOf(envFile), `${firstLine.unfinished}${unfinishedName}=${accountId}\n`);
  await store.createAccount(account);
  await createProject(store, byCommand(), accountId, { slug, name: 'Hello' });
  const { apiKey } = await createApiKey(store, byCommand(), { accountId, slug }, { name: 'Demo' });
  const gameKey = await makeGameKey(store, config, accountId);
  const players = { enabled: true, redirectUris: [gameUri], allowedIdps: [...builtInMethods] };
  const change = (initial: SignInSettings) => withChange(initial, players, false);
  await changeSignInSettings(store, byCommand(), { accountId, slug }, change);
  const written = { comment: 'The demo document', writtenAt: madeAt, author: null };
  const first = { stateText, stateBytes: Buffer.byteLength(stateText), ...written };
  await store.writePublicState(stateKey(accountId), { kind: 'absent' }, first);
  return { accountId, apiKey, gameKey };
}

/** Creates the key that a game may contain. It reads the demo's one document. */
async function makeGameKey(store: Store, config: Config, accountId: string): Promise<string> {
  const body: CreateApiKeyBody = { name: 'Demo game', kind: 'publishable', environments: [environment] };
  const sealer = createSealer(loadOrCreateSecretKeys(config), publishableKeyPurpose);
  return (await createApiKey(store, byCommand(), { accountId, slug }, body, sealer)).apiKey;
}

/** Returns the account of the demo that a start created in this data folder; undefined if there is none. */
export async function demoAccount(store: Store, { dataDir }: Pick<Config, 'dataDir'>): Promise<string | undefined> {
  return (await findDemo(store, join(dataDir, 'dev.env')))?.accountId;
}

/** The credentials in the file, if the store still accepts them. */
async function findDemo(store: Store, envFile: string): Promise<Credentials | undefined> {
  const variables = readEnvFile(envFile);
  const { HOLDFAST_ACCOUNT_ID: accountId, HOLDFAST_API_KEY: apiKey, HOLDFAST_PUBLISHABLE_KEY: gameKey } = variables;
  if (!accountId || !apiKey) return undefined;
  const isAccepted = async (text: string) => {
    const key = await store.findApiKey(hashApiKey(text));
    return key?.accountId === accountId && key.slug === slug;
  };
  if (!(await isAccepted(apiKey))) return undefined;
  return { accountId, apiKey, gameKey: gameKey && (await isAccepted(gameKey)) ? gameKey : undefined };
}

const readEnvFile = (path: string): Record<string, string | undefined> => parseEnv(readText(path));

/** The text of a file, empty if it cannot be read. */
function readText(path: string): string {
  try {
    return readTextFile(path);
  } catch {
    return '';
  }
}

function envText(
  demo: Credentials & {
    readonly baseUrl: string;
    readonly gameKey: string;
    readonly developerToken: string;
    readonly consoleLink: string | undefined;
  },
): string {
  const variables = {
    HOLDFAST_URL: demo.baseUrl,
    HOLDFAST_ACCOUNT_ID: demo.accountId,
    HOLDFAST_PROJECT: slug,
    HOLDFAST_ENVIRONMENT: environment,
    HOLDFAST_STATE_URL: `${demo.baseUrl}/v1/${demo.accountId}/projects/${slug}/public-state/${environment}`,
    HOLDFAST_API_KEY: demo.apiKey,
    HOLDFAST_PUBLISHABLE_KEY: demo.gameKey,
    HOLDFAST_DEVELOPER_TOKEN: demo.developerToken,
    ...(demo.consoleLink !== undefined && { HOLDFAST_CONSOLE_URL: demo.consoleLink }),
  };
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}=${shellWord(value)}`);
  return `${firstLine.finished} Every start brings the address and the developer token up to date.\n${lines.join('\n')}\n`;
}

/**
 * The clients of sign-in: one for developers, and one for every project with player sign-in enabled. All are public: they
 * have no secret, so their redirect URIs and PKCE are enforced.
 *
 * @see docs/contract.md §7.1, RFC 6749 §2.1
 */

import { guestMethod, type SignInSettings } from '@holdfast/contract';
import { LRUCache } from 'lru-cache';
import { isSuspended } from '../access/rules/account-status.ts';
import type { Awaitable } from '../common/async/awaitable.ts';
import { coalescedByKey } from '../common/async/coalesced.ts';
import { developerClientId, parsePlayerClientId, playerClientId } from '../common/ids/client-id.ts';
import { consoleLinkRedirectUri, consoleRedirectUri } from '../common/net/console-addresses.ts';
import { Refusal, suspendedAccount } from '../common/requests/refusal.ts';
import { quoted } from '../common/text/quoted.ts';
import { dayMilliseconds } from '../common/time/durations.ts';
import { AccessCache } from '../storage/caches/scoped-cache.ts';
import type { ProjectKey } from '../storage/contract/projects.ts';
import { parseSettings } from '../storage/contract/sign-in-settings.ts';
import type { Store } from '../storage/store.ts';

interface DeveloperClient {
  readonly kind: 'developer';
  readonly clientId: string;
  readonly redirectUris: readonly string[];
}

/** The configured redirect URIs, and the console's if there is one; never those of links made on the command line. */
export function developerRedirectUris(given: readonly string[], hasConsole: boolean, baseUrl: string): readonly string[] {
  const own = hasConsole ? [consoleRedirectUri(baseUrl)] : [];
  return [...given.filter((uri) => uri !== consoleLinkRedirectUri(baseUrl)), ...own];
}

export interface PlayerClient extends ProjectKey {
  readonly kind: 'end_user';
  readonly clientId: string;
  readonly redirectUris: readonly string[];
  readonly projectName: string;
  /** The identity provider's tenant for the account's players. */
  readonly tenantId: string;
  readonly settings: SignInSettings;
}

export type Client = DeveloperClient | PlayerClient;

export interface ClientsOptions {
  readonly store: Pick<Store, 'findAccount' | 'findProject' | 'onAccessChange' | 'readPlayerAuth'>;
  /** Known once the service listens. */
  readonly developerRedirectUris: () => readonly string[];
  /** Days without a refresh after which a session expires, unless its project sets another number. */
  readonly refreshIdleDays: number;
}

export interface Clients {
  /**
   * Returns the client, or undefined if there is none or its project has sign-in switched off. Throws `forbidden` while its account is
   * suspended.
   */
  find(clientId: string): Promise<Client | undefined>;
  /** As `find`, but throws `not_found` instead of returning undefined. @see docs/contract.md §7.3 */
  demand(clientId: string): Promise<Client>;
  /** What the token endpoint needs of a client that `find` would find, even of a suspended account; undefined for others. Remembered. */
  known(clientId: string): Awaitable<KnownClient | undefined>;
}

/** For requests that need only this about a client. */
export interface KnownClient {
  readonly clientId: string;
  /** The project, if it lets guests in. */
  readonly guestsOf: ProjectKey | undefined;
  /** Milliseconds without a refresh after which a session expires. */
  readonly idleMilliseconds: number;
  /** Whether its account is suspended. */
  readonly isSuspended: boolean;
}

/** Room for 20,000 client ids, at about 550 bytes each. */
const rememberedBytesMax = 20_000 * 550;

/** Returns the clients of `store` and of the configuration. */
export function createClients({ store, developerRedirectUris, refreshIdleDays }: ClientsOptions): Clients {
  const developer = (): DeveloperClient => ({
    kind: 'developer',
    clientId: developerClientId,
    redirectUris: developerRedirectUris(),
  });

  const parse = createParser();

  async function readSettings(key: ProjectKey): Promise<SignInSettings | undefined> {
    const text = await store.readPlayerAuth(key);
    const settings = text == null ? undefined : parse(text);
    return settings?.enabled ? settings : undefined;
  }

  // Settings may have 90,000 characters, and thousands of requests may need one page at the same moment.
  const read = coalescedByKey(readClient);

  async function find(clientId: string): Promise<Client | undefined> {
    return clientId === developerClientId ? developer() : read(clientId);
  }

  async function readClient(clientId: string): Promise<Client | undefined> {
    const key = parsePlayerClientId(clientId);
    const settings = key && (await readSettings(key));
    if (key === undefined || settings === undefined) return undefined;
    const [account, project] = await Promise.all([store.findAccount(key.accountId), store.findProject(key)]);
    if (account === undefined || project === undefined) return undefined;
    if (isSuspended(account)) throw suspendedAccount();
    const { redirectUris } = settings;
    const { name: projectName } = project;
    return { kind: 'end_user', clientId, ...key, redirectUris, projectName, tenantId: account.idpTenantId, settings };
  }

  return {
    find,
    async demand(clientId) {
      const client = await find(clientId);
      if (client === undefined) throw new Refusal('not_found', `there is no client ${quoted(clientId)} that can sign in`);
      return client;
    },
    known: rememberKnown(store, readSettings, refreshIdleDays),
  };
}

/** Returns the function behind `Clients.known`. */
function rememberKnown(
  store: ClientsOptions['store'],
  readSettings: (key: ProjectKey) => Promise<SignInSettings | undefined>,
  refreshIdleDays: number,
): Clients['known'] {
  const remembered = new AccessCache<KnownClient>(store, {
    bytesMax: rememberedBytesMax,
    scopeOf: (clientId) => clientId.split('.'),
  });
  const developer: KnownClient = {
    clientId: developerClientId,
    guestsOf: undefined,
    idleMilliseconds: refreshIdleDays * dayMilliseconds,
    isSuspended: false,
  };

  async function read(key: ProjectKey): Promise<KnownClient | undefined> {
    const settings = await readSettings(key);
    const account = settings && (await store.findAccount(key.accountId));
    if (settings === undefined || account === undefined) return undefined;
    return {
      clientId: playerClientId(key),
      guestsOf: settings.allowedIdps.includes(guestMethod) ? key : undefined,
      idleMilliseconds: (settings.sessionIdleDays ?? refreshIdleDays) * dayMilliseconds,
      isSuspended: isSuspended(account),
    };
  }

  return (clientId) => {
    if (clientId === developerClientId) return developer;
    const known = remembered.get(clientId);
    if (known !== undefined) return known;
    const key = parsePlayerClientId(clientId);
    return key && remembered.fill(clientId, () => read(key));
  };
}

/** Number of parsed settings to remember. The largest have about 90,000 characters. */
const parsedMax = 16;

/** Returns a parser of settings that remembers the last inputs: thousands of requests may need the same page at the same moment. */
function createParser(): (text: string) => SignInSettings {
  const parsed = new LRUCache<string, SignInSettings>({ max: parsedMax });
  return (text) => {
    const settings = parsed.get(text) ?? parseSettings(text);
    parsed.set(text, settings);
    return settings;
  };
}

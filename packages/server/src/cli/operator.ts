/** What an operator can do that no route offers: everything here works beside a running server. */
import { createSealer, loadOrCreateSecretKey } from '../access/secrets.ts';
import type { Config } from '../config.ts';
import { type AccessTokens, createAccessTokens } from '../oauth/access-token.ts';
import { createSigningKeys, type SigningKeys } from '../oauth/signing-keys.ts';
import type { Store } from '../storage/store.ts';
import { CommandFault } from './fault.ts';

/** Who a token of the operator says it is. */
export const operatorSubject = 'operator';
export const developerTokenHoursMax = 720;

export interface Keyring {
  readonly signingKeys: SigningKeys;
  readonly accessTokens: AccessTokens;
}

/** Returns the signing keys in `store` and the tokens that they sign in the name of `issuer`. */
export function openKeyring(store: Store, config: Config, issuer: () => string): Keyring {
  const sealer = createSealer(config.secretKey ?? loadOrCreateSecretKey(config.dataDir), 'signing-key');
  const signingKeys = createSigningKeys({ store, seal: sealer.seal, open: sealer.open, now: Date.now });
  return { signingKeys, accessTokens: createAccessTokens({ signingKeys, issuer, now: Date.now }) };
}

export interface IssuedToken {
  readonly developerToken: string;
  /** RFC 3339. */
  readonly expiresAt: string;
}

/** Returns a developer token of the account, for `hours` (at most 720). */
export async function issueDeveloperToken(tokens: AccessTokens, accountId: string, hours: number): Promise<IssuedToken> {
  const seconds = hours * 60 * 60;
  const expiresAt = new Date((Math.floor(Date.now() / 1000) + seconds) * 1000).toISOString();
  const developerToken = await tokens.signDeveloperToken({ accountId, subject: operatorSubject, seconds });
  return { developerToken, expiresAt };
}

/** Throws `CommandFault` when the configuration names a PostgreSQL database. */
export function demandEmbeddedStore(config: Config): void {
  if (config.databaseUrl === undefined) return;
  throw new CommandFault('SVC_DATABASE_URL is set, but PostgreSQL is not available in this version');
}

/** Opens the store beside a running server, calls `work`, and closes the store whatever happens. */
export async function withOperator<Result>(
  config: Config,
  work: (store: Store, keyring: () => Keyring) => Promise<Result>,
): Promise<Result> {
  demandEmbeddedStore(config);
  const { openSqliteStore } = await import('../storage/sqlite/store.ts');
  const store = await openSqliteStore({ dataDir: config.dataDir, exclusive: false });
  try {
    return await work(store, () => openKeyring(store, config, () => issuerOf(config)));
  } finally {
    await store.close();
  }
}

function issuerOf({ baseUrl }: Config): string {
  if (baseUrl === undefined) {
    throw new CommandFault('SVC_PORT is 0, so the address in tokens is unknown: set SVC_BASE_URL to that of the service');
  }
  return baseUrl;
}

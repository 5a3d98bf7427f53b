/** Actions for the operator that no route offers. All work while the server runs. */

import { existsSync } from 'node:fs';
import { randomIdentifier } from '../common/ids/base62.ts';
import { now } from '../common/time/clock.ts';
import type { Config } from '../config/config.ts';
import { type AccessTokens, createAccessTokens } from '../oauth/access-token.ts';
import { operatorSubject } from '../oauth/access-token-claims.ts';
import { createSigningKeys, type SigningKeys } from '../oauth/signing-keys.ts';
import { createSealer } from '../secrets/sealer.ts';
import { loadOrCreateSecretKeys } from '../secrets/secret-key.ts';
import type { ChangedBy } from '../storage/contract/audit.ts';
import type { SigningPurpose } from '../storage/contract/sign-ins.ts';
import type { Store } from '../storage/store.ts';
import { openStoreForCommand } from '../wiring/engine.ts';
import { CommandFault } from './fault.ts';

export const developerTokenHoursMax = 720;

export interface Keyring {
  /** Returns the base URL for tokens; throws `CommandFault` if it is not known. */
  readonly issuer: () => string;
  readonly signingKeys: SigningKeys;
  /** The keys of the built-in identity provider. */
  readonly idTokenKeys: SigningKeys;
  readonly accessTokens: AccessTokens;
}

/** Returns the signing keys in `store`, and tokens signed with them for `issuer`. */
export function openKeyring(store: Store, config: Config, issuer: () => string): Keyring {
  const sealer = createSealer(loadOrCreateSecretKeys(config), 'signing-key');
  const keysOf = (purpose: SigningPurpose) =>
    createSigningKeys({ store, purpose, seal: sealer.seal, open: sealer.open, now });
  const signingKeys = keysOf('access_token');
  const idTokenKeys = keysOf('id_token');
  return { issuer, signingKeys, idTokenKeys, accessTokens: createAccessTokens({ signingKeys, issuer, now }) };
}

/** Returns the operator as an actor for the audit trail. Each call counts as a separate request. */
export const byCommand = (): ChangedBy => ({
  actor: { kind: 'operator', id: operatorSubject, name: null },
  requestId: `command-${randomIdentifier()}`,
  at: now(),
});

export interface IssuedToken {
  readonly developerToken: string;
  /** The address where the token is valid. */
  readonly baseUrl: string;
  /** RFC 3339. */
  readonly expiresAt: string;
}

/** Returns a developer token of the account, valid for `hours` (at most 720). */
export async function issueDeveloperToken(keyring: Keyring, accountId: string, hours: number): Promise<IssuedToken> {
  const { accessTokens, issuer } = keyring;
  const seconds = hours * 60 * 60;
  const expiresAt = new Date((Math.floor(now() / 1000) + seconds) * 1000).toISOString();
  const signed = accessTokens.signDeveloperToken({ accountId, subject: operatorSubject, actsAs: 'operator', seconds });
  const developerToken = await signed;
  return { developerToken, baseUrl: issuer(), expiresAt };
}

/**
 * Opens the store, even while a server is running, calls `work`, and always closes the store. Throws `CommandFault` if there is no
 * database; with `mayCreate`, creates one. With `isKeyLost`, the secret key need not fit a database that is upgraded.
 */
export async function withOperator<Result>(
  config: Config,
  work: (store: Store, keyring: () => Keyring) => Promise<Result>,
  { mayCreate = false, isKeyLost = false } = {},
): Promise<Result> {
  if (!mayCreate && config.databaseUrl === undefined) await requireDatabase(config);
  const store = await openStoreForCommand(config, { isKeyLost });
  try {
    return await work(store, () => openKeyring(store, config, () => issuerOf(config)));
  } finally {
    await store.close();
  }
}

/** Throws `CommandFault` if the data folder has no database, and an `Error` if it has an incomplete copy. */
export async function requireDatabase({ dataDir }: Pick<Config, 'dataDir'>): Promise<void> {
  const { databasePath } = await import('../storage/sqlite/directory/database.ts');
  if (existsSync(databasePath(dataDir))) return;
  const { requireComplete } = await import('../storage/sqlite/directory/database.ts');
  requireComplete(dataDir);
  throw new CommandFault(`there is no database in ${dataDir}; SVC_DATA_DIR names the data folder of the service`);
}

/** Throws `CommandFault` if the service does not use the embedded database, which `command` needs. */
export function requireEmbedded({ databaseUrl }: Pick<Config, 'databaseUrl'>, command: string): void {
  if (databaseUrl === undefined) return;
  throw new CommandFault(
    `${command} works on the embedded database only, and SVC_DATABASE_URL names another one: use pg_dump and pg_restore`,
  );
}

function issuerOf({ baseUrl }: Config): string {
  if (baseUrl === undefined) {
    throw new CommandFault(
      'SVC_PORT is 0, so the address in tokens is unknown: set SVC_BASE_URL to the address of the service',
    );
  }
  return baseUrl;
}

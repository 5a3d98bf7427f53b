/** Service accounts: identities for builds, deployments and servers. @see docs/contract.md §8.11 */

import {
  type Authority,
  environments as allEnvironments,
  type CreatedServiceAccountBody,
  type CreatedServiceAccountSecretBody,
  type CreateServiceAccountBody,
  mayGrant,
  type ServiceAccountBody,
  serviceAccountRoles,
  serviceAccountSecretsMax,
  serviceAccountsMax,
} from '@holdfast/contract';
import { requireFinishedUpgrade } from '../access/finished-upgrade.ts';
import { randomIdentifier } from '../common/ids/base62.ts';
import { noAccount, Refusal } from '../common/requests/refusal.ts';
import { formatTime, formatTimeOrNull, parseFutureTime } from '../common/requests/time.ts';
import { generateClientSecret, hashClientSecret } from '../common/secrets/client-secret-text.ts';
import { quoted } from '../common/text/quoted.ts';
import type { ChangedBy } from '../storage/contract/audit.ts';
import type { NewServiceAccount, NewServiceAccountSecret, ServiceAccount } from '../storage/contract/service-accounts.ts';
import type { Store } from '../storage/store.ts';

/**
 * Creates a service account with a first secret, and returns both; the secret cannot be read again. Throws `validation_error` for an
 * invalid or past expiry, `forbidden` for more than `granter` may grant, `limit_reached`, `upgrade_unfinished`, or `not_found` if the
 * account does not exist.
 */
export async function createServiceAccount(
  store: Pick<Store, 'createServiceAccount' | 'isUpgradeFinished'>,
  by: ChangedBy,
  accountId: string,
  { name, role, environments = null, expiresAt = null }: CreateServiceAccountBody,
  granter: Authority,
): Promise<CreatedServiceAccountBody> {
  const nowMs = by.at;
  const serviceAccount: NewServiceAccount = {
    accountId,
    serviceAccountId: `sa_${randomIdentifier()}`,
    name,
    role,
    environments: environments && allEnvironments.filter((environment) => environments.includes(environment)),
    createdAt: nowMs,
    expiresAt: expiresAt === null ? null : parseFutureTime('expiresAt', expiresAt, nowMs),
  };
  if (!mayGrant(granter, serviceAccount)) {
    throw new Refusal('forbidden', 'you cannot give a service account more than your own role and environments');
  }
  await requireFinishedUpgrade(store, 'serviceAccounts');
  const { clientSecret, secret } = newSecret(nowMs);
  const outcome = await store.createServiceAccount(by, serviceAccount, secret, serviceAccountsMax);
  if (outcome === 'no_account') throw noAccount(accountId);
  if (outcome === 'too_many') {
    throw new Refusal('limit_reached', `the account has ${serviceAccountsMax} service accounts: delete one first`);
  }
  const { secretId } = secret;
  const secrets = [{ secretId, createdAt: nowMs, lastUsedAt: null }];
  return { ...serviceAccountBody({ ...serviceAccount, lastUsedAt: null, secrets }), clientSecret };
}

/** Returns all service accounts of the account, newest first. */
export async function listServiceAccounts(
  store: Pick<Store, 'listServiceAccounts'>,
  accountId: string,
): Promise<{ items: ServiceAccountBody[] }> {
  return { items: (await store.listServiceAccounts(accountId)).map(serviceAccountBody) };
}

/** Identifies a service account in its account. */
export type ServiceAccountKey = Pick<ServiceAccount, 'accountId' | 'serviceAccountId'>;

/** Returns the service account, or throws `not_found`. */
export async function readServiceAccount(
  store: Pick<Store, 'findServiceAccount'>,
  { accountId, serviceAccountId }: ServiceAccountKey,
): Promise<ServiceAccountBody> {
  const found = await store.findServiceAccount(accountId, serviceAccountId);
  if (found === undefined) throw noServiceAccount(serviceAccountId);
  return serviceAccountBody(found);
}

/** Deletes the service account, whose secrets and tokens are rejected from then on, or throws `not_found`. */
export async function deleteServiceAccount(
  store: Pick<Store, 'deleteServiceAccount'>,
  by: ChangedBy,
  { accountId, serviceAccountId }: ServiceAccountKey,
): Promise<void> {
  if ((await store.deleteServiceAccount(by, accountId, serviceAccountId)) === 'absent') {
    throw noServiceAccount(serviceAccountId);
  }
}

/** Creates another secret and returns it; it cannot be read again. Throws `limit_reached` or `not_found`. */
export async function createSecret(
  store: Pick<Store, 'addServiceAccountSecret'>,
  by: ChangedBy,
  { accountId, serviceAccountId }: ServiceAccountKey,
): Promise<CreatedServiceAccountSecretBody> {
  const { clientSecret, secret } = newSecret(by.at);
  const outcome = await store.addServiceAccountSecret(by, accountId, serviceAccountId, secret, serviceAccountSecretsMax);
  if (outcome === 'absent') throw noServiceAccount(serviceAccountId);
  if (outcome === 'too_many') {
    throw new Refusal('limit_reached', `the service account has ${serviceAccountSecretsMax} secrets: delete one first`);
  }
  return { secretId: secret.secretId, clientSecret };
}

/** Deletes the secret, which is rejected from then on, as are the tokens issued for it. Throws `not_found`. */
export async function deleteSecret(
  store: Pick<Store, 'deleteServiceAccountSecret'>,
  by: ChangedBy,
  { accountId, serviceAccountId }: ServiceAccountKey,
  secretId: string,
): Promise<void> {
  if ((await store.deleteServiceAccountSecret(by, accountId, serviceAccountId, secretId)) === 'absent') {
    throw new Refusal('not_found', `the service account ${serviceAccountId} has no secret ${secretId}`);
  }
}

function newSecret(nowMs: number): { readonly clientSecret: string; readonly secret: NewServiceAccountSecret } {
  const clientSecret = generateClientSecret();
  const secretHash = hashClientSecret(clientSecret);
  if (secretHash === undefined) throw new Error('a new secret is malformed');
  return { clientSecret, secret: { secretId: `sec_${randomIdentifier()}`, secretHash, createdAt: nowMs } };
}

function serviceAccountBody(serviceAccount: ServiceAccount): ServiceAccountBody {
  const { serviceAccountId, name, environments, createdAt, lastUsedAt, expiresAt, secrets } = serviceAccount;
  const role = serviceAccountRoles.find((one) => one === serviceAccount.role);
  if (role === undefined) throw new Error('a service account has a role that none can have');
  return {
    id: serviceAccountId,
    name,
    role,
    environments: environments && [...environments],
    createdAt: formatTime(createdAt),
    lastUsedAt: formatTimeOrNull(lastUsedAt),
    expiresAt: formatTimeOrNull(expiresAt),
    secrets: secrets.map((secret) => ({
      secretId: secret.secretId,
      createdAt: formatTime(secret.createdAt),
      lastUsedAt: formatTimeOrNull(secret.lastUsedAt),
    })),
  };
}

function noServiceAccount(serviceAccountId: string): Refusal {
  return new Refusal('not_found', `the account has no service account ${quoted(serviceAccountId)}`);
}

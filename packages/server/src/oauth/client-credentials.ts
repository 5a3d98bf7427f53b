/**
 * The client-credentials grant: a service account exchanges a secret for an access token. It gets no refresh token, since it has the
 * secret.
 *
 * @see docs/contract.md §7.15, RFC 6749 §4.4
 */
import { isSuspended } from '../access/rules/account-status.ts';
import { developerScope } from '../common/ids/client-id.ts';
import type { Parameters } from '../common/requests/form-parameters.ts';
import { hashClientSecret } from '../common/secrets/client-secret-text.ts';
import type { CountServiceAccount } from '../limits/deferred-count.ts';
import type { Store } from '../storage/store.ts';
import type { AccessTokens } from './access-token.ts';
import { type PresentedClient, readClientAuthentication } from './client-authentication.ts';
import { type SecretGrant, suspended, type TokenOutcome } from './token.ts';
import { type TokenError, tokenError } from './token-error.ts';

export interface ServiceAccountGrantOptions {
  readonly store: Pick<Store, 'findServiceAccountBySecret' | 'findAccount'>;
  readonly accessTokens: Pick<AccessTokens, 'signer'>;
  readonly accessTokenSeconds: number;
  readonly serviceAccountUses: {
    note(user: { readonly accountId: string; readonly subject: string; readonly secretId: string }, nowMs: number): number;
  };
  readonly now: () => number;
}

/** Returns the grant of service accounts. */
export function createServiceAccountGrant(options: ServiceAccountGrantOptions): SecretGrant {
  return (form, authorization, count) => exchangeSecret(options, form, authorization, count);
}

const refused = ({ isBasic }: Pick<PresentedClient, 'isBasic'>): TokenError =>
  tokenError('invalid_client', 'the service account is unknown, or its secret is wrong or has expired', { isBasic });

/** Returns a client's service account, by its secret, or the error if there is none. Throws `StoreUnavailable`. */
export async function findServiceAccount(store: Pick<Store, 'findServiceAccountBySecret'>, client: PresentedClient) {
  const secretHash = hashClientSecret(client.secret);
  const found = secretHash && (await store.findServiceAccountBySecret(secretHash));
  if (found === undefined || found.serviceAccount.serviceAccountId !== client.clientId) return refused(client);
  return { kind: 'found' as const, ...found };
}

async function exchangeSecret(
  options: ServiceAccountGrantOptions,
  form: Parameters,
  authorization: string | undefined,
  count: CountServiceAccount,
): Promise<TokenOutcome> {
  const { store, now, accessTokenSeconds } = options;
  const client = readClientAuthentication(form, authorization);
  if (client.kind === 'error') return client;
  const found = await findServiceAccount(store, client);
  if (found.kind === 'error') return found;
  const { secretId, serviceAccount } = found;
  const { accountId, serviceAccountId, name, expiresAt } = serviceAccount;
  const account = await store.findAccount(accountId);
  if (account !== undefined && isSuspended(account)) return suspended;
  const nowMs = now();
  // A token has whole seconds, and does not outlive the service account.
  const left = expiresAt === null ? accessTokenSeconds : Math.floor((expiresAt - nowMs) / 1000);
  if (left < 1) return refused(client);
  const asked = form.get('scope');
  if (asked !== undefined && asked !== developerScope)
    return tokenError('invalid_scope', `the scope of a service account is ${developerScope}`);

  await count({ accountId, subject: serviceAccountId });
  const seconds = Math.min(left, accessTokenSeconds);
  const signer = await options.accessTokens.signer();
  const accessToken = signer.signServiceAccountToken({ accountId, serviceAccountId, secretId, name, seconds });
  options.serviceAccountUses.note({ accountId, subject: serviceAccountId, secretId }, nowMs);
  return { kind: 'tokens', access_token: accessToken, token_type: 'Bearer', expires_in: seconds, scope: developerScope };
}

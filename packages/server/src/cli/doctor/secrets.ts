/** Whether the secret key opens the sealed values of the embedded database. */
import type { DatabaseSync } from 'node:sqlite';
import type { Config } from '../../config/config.ts';
import type { SecretKeys } from '../../secrets/secret-key.ts';
import { findSecretKeys, readSealed, readSealedApiKeys, secretsTried, unopened } from '../secret-key.ts';
import { type Finding, findingOf } from './findings.ts';

const found = findingOf('database');

const keyAdvice =
  'put the right key in place; if it is lost, "holdfast keys rotate --revoke" makes new signing keys, and everybody signs in again';
const secretAdvice =
  'put the right key in place; if it is lost, set the secret again: PUT /v1/{accountId}/identity-providers/{providerId}';

const shownAdvice =
  'put the right key in place; until then the keys work, but lists do not show them. If it is lost, create new API keys to see their text';

const kinds = {
  access_token: { what: 'signing keys of access tokens', advice: keyAdvice, level: 'error' },
  id_token: { what: 'signing keys of ID tokens', advice: keyAdvice, level: 'error' },
  identity_provider: { what: 'secrets of identity providers', advice: secretAdvice, level: 'error' },
  api_key: { what: 'publishable API keys', advice: shownAdvice, level: 'warning' },
} as const;

/** How many unopenable values are named. */
const namesMax = 3;

/** Tries the secret key. `quick` limits how many secrets of identity providers and API keys are tried. */
export function examineSecretKey(
  config: Config,
  database: DatabaseSync,
  { quick }: { readonly quick: boolean },
): Finding[] {
  const secretsMax = quick ? secretsTried : Number.MAX_SAFE_INTEGER;
  const all = [...readSealed(database, secretsMax), ...readSealedApiKeys(database, secretsMax)];
  if (all.length === 0) return [];
  let secretKeys: SecretKeys | undefined;
  try {
    secretKeys = findSecretKeys(config);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [found('error', reason, 'the service does not start until this is fixed')];
  }
  if (secretKeys === undefined) {
    const advice = `${keyAdvice}; the secrets of identity providers then have to be set again`;
    return [found('error', 'the secret key is missing; signing keys and secrets are sealed with it', advice)];
  }
  const closed = Object.groupBy(unopened(all, secretKeys), ({ kind }) => kind);
  return Object.entries(kinds).flatMap(([kind, { what, advice, level }]) => {
    const names = (closed[kind as keyof typeof kinds] ?? []).map(({ name }) => name);
    if (names.length === 0) return [];
    const total = all.filter((each) => each.kind === kind).length;
    const shown = [...names.slice(0, namesMax), ...(names.length > namesMax ? ['others'] : [])].join(', ');
    return [found(level, `the secret key opens ${total - names.length} of ${total} ${what}, not ${shown}`, advice)];
  });
}

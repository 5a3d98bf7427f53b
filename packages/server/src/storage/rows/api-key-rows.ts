/** Turns rows into API keys. */
import { apiKeyAccess, apiKeyKinds } from '@holdfast/contract';
import type { ApiKey } from '../contract/api-keys.ts';
import { decodedTextAt, integerAt, optionalIntegerAt, type Row, textAt, wordAt, wordsAt } from './columns.ts';
import { environmentNames } from './environment-numbers.ts';

/** Returns the API key of a row of `api_keys`. */
export const toApiKey = (row: Row): ApiKey => ({
  accountId: textAt(row, 'account_id'),
  slug: textAt(row, 'slug'),
  keyId: textAt(row, 'key_id'),
  name: decodedTextAt(row, 'name'),
  start: textAt(row, 'start'),
  kind: wordAt(row, 'kind', apiKeyKinds),
  access: wordAt(row, 'access', apiKeyAccess),
  environments: wordsAt(row, 'environments', environmentNames),
  createdAt: integerAt(row, 'created_at'),
  lastUsedAt: optionalIntegerAt(row, 'last_used_at'),
  expiresAt: optionalIntegerAt(row, 'expires_at'),
  requestsPerMinute: optionalIntegerAt(row, 'requests_per_minute_max'),
});

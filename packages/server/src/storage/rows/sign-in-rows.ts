/** Turns rows into signing keys, authorization codes and refresh-token families. */
import {
  type AuthorizationCode,
  type Grant,
  type RefreshFamily,
  type SigningKeyRecord,
  signingPurposes,
} from '../contract/sign-ins.ts';
import {
  bytesAt,
  decodedTextAt,
  integerAt,
  optionalDecodedTextAt,
  optionalTextAt,
  type Row,
  textAt,
  wordAt,
} from './columns.ts';
import { environmentNames, environmentNumbers } from './environment-numbers.ts';

export const toSigningKey = (row: Row): SigningKeyRecord => ({
  purpose: wordAt(row, 'purpose', signingPurposes),
  keyId: textAt(row, 'key_id'),
  publicJwk: textAt(row, 'public_jwk'),
  sealedPrivateJwk: bytesAt(row, 'sealed_private_jwk'),
  createdAt: integerAt(row, 'created_at'),
});

const toGrant = (row: Row): Grant => ({
  accountId: textAt(row, 'account_id'),
  slug: optionalTextAt(row, 'slug'),
  environment: environmentNames.find((name) => environmentNumbers[name] === row.environment) ?? null,
  clientId: decodedTextAt(row, 'client_id'),
  subject: decodedTextAt(row, 'subject'),
  scope: decodedTextAt(row, 'scope'),
  amr: optionalTextAt(row, 'amr') ?? undefined,
});

export const toAuthorizationCode = (row: Row): AuthorizationCode => ({
  ...toGrant(row),
  email: optionalDecodedTextAt(row, 'email'),
  name: optionalDecodedTextAt(row, 'name'),
  redirectUri: decodedTextAt(row, 'redirect_uri'),
  codeChallenge: decodedTextAt(row, 'code_challenge'),
  expiresAt: integerAt(row, 'code_expires_at'),
});

export const toRefreshFamily = (row: Row): RefreshFamily => ({
  ...toGrant(row),
  familyId: textAt(row, 'family_id'),
  createdAt: integerAt(row, 'created_at'),
  idleExpiresAt: integerAt(row, 'idle_expires_at'),
  absoluteExpiresAt: integerAt(row, 'absolute_expires_at'),
  sessionLabel: optionalTextAt(row, 'place') ?? undefined,
  epoch: integerAt(row, 'player_epoch') || undefined,
});

/** Users who sign in through identity providers. */

import { StoreFault } from '../../contract/errors.ts';
import type { FederatedIdentity, FederatedProfile, FederatedUser } from '../../contract/federation.ts';
import { optionalDecodedTextAt, textAt } from '../../rows/columns.ts';
import { encodeOptional, encodeText } from '../../rows/stored-texts.ts';
import { all, first, type Steps } from '../steps.ts';
import { type Setting, write } from '../verb.ts';
import { developersDirectory } from './directories.ts';

/** The user that a first sign-in creates. */
interface CreatedUser {
  readonly userId: string;
  readonly createdAt: number;
}

const valuesOf = ({ accountId, providerId, issuer, subject }: FederatedIdentity) => [
  accountId ?? developersDirectory,
  providerId,
  encodeText(issuer),
  encodeText(subject),
];

function* signIn(
  _: Setting,
  identity: FederatedIdentity,
  profile: FederatedProfile,
  created: CreatedUser | undefined,
): Steps<FederatedUser | 'no_account' | 'unknown'> {
  const { accountId } = identity;
  // No row: no such account.
  const account =
    accountId === null ? true : yield* first('SELECT account_id FROM accounts WHERE account_id = $1', [accountId]);
  if (account === undefined) return 'no_account';
  if (created === undefined) return (yield* signInKnown(identity, profile)) ?? 'unknown';
  // A first sign-in that runs parallel to another has waited for it, and finds its user in the second query.
  const user =
    (yield* signInKnown(identity, profile)) ??
    (yield* signInFirst(identity, profile, created)) ??
    (yield* signInKnown(identity, profile));
  if (user === undefined) throw new StoreFault('a link to an identity provider names no user');
  return user;
}

function* signInKnown(identity: FederatedIdentity, { email, name }: FederatedProfile): Steps<FederatedUser | undefined> {
  // No row: this identity has not signed in before. Fields that the provider omits stay unchanged, and so do all fields of a user with a
  // proven address: an added provider does not change them.
  const row = yield* first(
    `UPDATE users SET email = CASE WHEN email_key IS NULL THEN coalesce($5, email) ELSE email END,
       name = CASE WHEN email_key IS NULL THEN coalesce($6, name) ELSE coalesce(name, $6) END
     WHERE directory_id = $1 AND user_id = (
       SELECT user_id FROM federated_identities
       WHERE directory_id = $1 AND provider_id = $2 AND issuer = $3 AND subject = $4)
     RETURNING user_id, email, email_key, name`,
    [...valuesOf(identity), encodeOptional(email), encodeOptional(name)],
  );
  return (
    row && {
      userId: textAt(row, 'user_id'),
      email: optionalDecodedTextAt(row, 'email'),
      name: optionalDecodedTextAt(row, 'name'),
      isEmailProven: row.email_key !== null,
    }
  );
}

function* signInFirst(
  identity: FederatedIdentity,
  profile: FederatedProfile,
  { userId, createdAt }: CreatedUser,
): Steps<FederatedUser | undefined> {
  // No row: the identity was linked in the meantime.
  const linked = yield* first(
    `INSERT INTO federated_identities (directory_id, provider_id, issuer, subject, user_id) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (directory_id, provider_id, issuer, subject) DO NOTHING RETURNING user_id`,
    [...valuesOf(identity), userId],
  );
  if (linked === undefined) return undefined;
  // A user id that is taken is a fault of the caller and fails.
  yield* all('INSERT INTO users (directory_id, user_id, created_at, email, name) VALUES ($1, $2, $3, $4, $5)', [
    identity.accountId ?? developersDirectory,
    userId,
    createdAt,
    encodeOptional(profile.email),
    encodeOptional(profile.name),
  ]);
  return { userId, ...profile, isEmailProven: false };
}

export const federatedUserVerbs = {
  /**
   * Returns the user of an identity with the current profile: the provider's claims or, for a user with a proven address, the data stored
   * here. For a new identity it creates the user `userId` and the link in one step, so parallel first sign-ins create one user; `unknown`
   * if no user may be created. `no_account` if the account does not exist.
   */
  signInFederatedUser: write(signIn),
};

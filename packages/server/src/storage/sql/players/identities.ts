/** The identities of players at their providers, stored at sign-in. */

import type { Identity, PlayerAccess, PlayerKey, PlayerRestrictions, SignedIn } from '../../contract/players.ts';
import type { ProjectKey } from '../../contract/projects.ts';
import { decodedTextAt, integerAt, optionalDecodedTextAt, type Row, textAt } from '../../rows/columns.ts';
import { environmentNames, environmentNumbers } from '../../rows/environment-numbers.ts';
import { encodeOptional, encodeText } from '../../rows/stored-texts.ts';
import { all, first, type Steps } from '../steps.ts';
import { type Setting, smallRead, write } from '../verb.ts';
import { storeEvent } from '../webhooks/webhook-queue.ts';
import { hasBlocks, isBlockedIn } from './player-blocks.ts';
import { idKey, textKey } from './player-keys.ts';
import { epochOf, lastEndedAt } from './player-revocations.ts';
import { writeWords } from './player-words.ts';
import { noteSignedIn } from './project-players.ts';

export const toIdentity = (row: Row): Identity => ({
  subject: decodedTextAt(row, 'subject'),
  provider: decodedTextAt(row, 'provider'),
  email: optionalDecodedTextAt(row, 'email'),
  name: optionalDecodedTextAt(row, 'name'),
  createdAt: integerAt(row, 'created_at'),
  lastSignedInAt: integerAt(row, 'last_signed_in_at'),
});

/** The player of a subject that has signed in before through any provider, locked; otherwise the subject's own player. */
function* playerOf(accountId: string, subject: string): Steps<string> {
  // Any number of rows, all of one player.
  const [known] = yield* all(
    'SELECT end_user_id FROM identities WHERE account_id = $1 AND subject = $2 ORDER BY provider FOR UPDATE',
    [accountId, encodeText(subject)],
  );
  return known === undefined ? subject : decodedTextAt(known, 'end_user_id');
}

function* admit(
  setting: Setting,
  key: ProjectKey,
  person: SignedIn,
  at: number,
): Steps<
  { readonly kind: 'admitted'; readonly playerId: string } | { readonly kind: 'blocked' } | { readonly kind: 'no_project' }
> {
  const { accountId, slug } = key;
  // No row: no such project.
  const project = yield* first(
    'SELECT 1 AS found FROM accounts JOIN projects USING (account_id) WHERE account_id = $1 AND slug = $2',
    [accountId, slug],
  );
  if (project === undefined) return { kind: 'no_project' };
  const playerId = yield* playerOf(accountId, person.subject);
  if (yield* isBlockedIn(key, playerId, at)) return { kind: 'blocked' };
  const isNew = yield* keep(setting, accountId, person, playerId, at);
  yield* noteSignedIn(key, playerId);
  if (isNew) {
    yield* storeEvent(key, { type: 'player.created', at, data: { endUserId: playerId } });
  }
  return { kind: 'admitted', playerId };
}

/** Keeps how a player has signed in, with the words of the search. Returns whether it is the player's first sign-in. */
function* keep(
  setting: Setting,
  accountId: string,
  { subject, provider, email, name }: SignedIn,
  playerId: string,
  at: number,
): Steps<boolean> {
  // One row, always. That of an earlier sign-in keeps its time.
  const row = yield* first(
    `INSERT INTO identities (account_id, subject, provider, end_user_id, email, name, id_key, email_key, name_key, created_at,
       last_signed_in_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)
     ON CONFLICT (account_id, subject, provider) DO UPDATE SET
       email = coalesce(excluded.email, identities.email), email_key = coalesce(excluded.email_key, identities.email_key),
       name = coalesce(excluded.name, identities.name), name_key = coalesce(excluded.name_key, identities.name_key),
       last_signed_in_at = excluded.last_signed_in_at
     RETURNING subject, provider, email, name, created_at`,
    [
      accountId,
      encodeText(subject),
      encodeText(provider),
      encodeText(playerId),
      encodeOptional(email),
      encodeOptional(name),
      idKey(playerId),
      textKey(email),
      textKey(name),
      at,
    ],
  );
  if (row === undefined) return false;
  yield* writeWords(setting, accountId, row);
  if (integerAt(row, 'created_at') !== at) return false;
  // One or two rows.
  const identities = yield* all('SELECT 1 AS found FROM identities WHERE account_id = $1 AND end_user_id = $2 LIMIT 2', [
    accountId,
    encodeText(playerId),
  ]);
  return identities.length === 1;
}

function* findAccess(_: Setting, key: PlayerKey, now: number): Steps<PlayerAccess> {
  return { epoch: yield* epochOf(key), isBlocked: yield* isBlockedIn(key, key.playerId, now) };
}

function* readRestrictions(_: Setting, key: ProjectKey, now: number): Steps<PlayerRestrictions> {
  return { lastEndedAt: yield* lastEndedAt(key.accountId, key.slug), hasBlocks: yield* hasBlocks(key, now) };
}

function* findOfFamily({ engine }: Setting, familyId: string): Steps<PlayerKey | undefined> {
  const { families } = engine.signIns;
  // No row: there is no such family, or it is a developer's, or its project was deleted.
  const row = yield* first(
    `SELECT projects.account_id, projects.slug, environment, subject FROM ${families}
     JOIN projects ON projects.account_id = ${families}.account_id AND projects.project_id = ${families}.project_id
     WHERE family_id = $1`,
    [familyId],
  );
  const environment = environmentNames.find((name) => environmentNumbers[name] === row?.environment);
  if (row === undefined || environment === undefined) return undefined;
  return {
    accountId: textAt(row, 'account_id'),
    slug: textAt(row, 'slug'),
    environment,
    playerId: decodedTextAt(row, 'subject'),
  };
}

export const identityVerbs = {
  /**
   * Stores the identity that signs in to the account, and returns its player. If the player is `blocked`, nothing is stored. Blocks are
   * checked in the same step.
   */
  admitPlayer: write(admit),
  findPlayerAccess: smallRead(findAccess),
  readPlayerRestrictions: smallRead(readRestrictions),
  /** The player of a current or former refresh-token family; undefined if the family is no longer known or belongs to a developer. */
  findPlayerOfFamily: smallRead(findOfFamily),
};

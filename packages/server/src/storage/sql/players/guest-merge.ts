/** The merge of a guest into a player, across all environments and projects of an account, in one transaction. */

import { playerChange } from '../../caches/access-changes.ts';
import { accountName } from '../../caches/record-names.ts';
import { StoreFault } from '../../contract/errors.ts';
import type { MergeOutcome, NewMerge } from '../../contract/guests.ts';
import { ofItsAccount } from '../../contract/read-owner.ts';
import { repeatsOfDocumentMax } from '../../contract/repeats.ts';
import { decodedTextAt, integerAt, type Row, textAt } from '../../rows/columns.ts';
import { environmentNames, environmentNumbers } from '../../rows/environment-numbers.ts';
import type { MergedRow, ProjectRowKey, UserStateRowKey } from '../engine-sql.ts';
import { findRepeat, scopeHash, toFoundRepeat } from '../states/repeats.ts';
import { type HeldUserState, hasUserStates, lockUserState, replaceUserState } from '../states/user-state-rows.ts';
import { all, first, type Steps } from '../steps.ts';
import { withinQuota } from '../usage/storage-quota.ts';
import { type Setting, smallRead, write } from '../verb.ts';
import { storeEvent } from '../webhooks/webhook-queue.ts';
import { isBlockedAnywhere } from './player-blocks.ts';
import { findPlayer, retireGuest } from './player-links.ts';
import { areTokensRevoked, revokePlayerTokens } from './player-revocations.ts';

const toRow = (accountId: string, row: Row): MergedRow => ({
  accountId,
  slug: textAt(row, 'slug'),
  projectId: row.project_id as ProjectRowKey['projectId'],
  environment: integerAt(row, 'environment'),
  playerId: decodedTextAt(row, 'end_user_id'),
  version: integerAt(row, 'version'),
  bytes: integerAt(row, 'bytes'),
});

const isSamePlace = (one: MergedRow, other: MergedRow): boolean =>
  one.slug === other.slug && one.environment === other.environment;

/** The user states of the guest and the survivor, and which of them were compared. */
interface Both {
  readonly ofGuest: readonly MergedRow[];
  readonly ofSurvivor: readonly MergedRow[];
  readonly isCompared: (row: MergedRow) => boolean;
}

const keyOf = ({ environment, ...row }: MergedRow): UserStateRowKey => {
  const name = environmentNames.find((one) => environmentNumbers[one] === environment);
  if (name === undefined) throw new StoreFault('a user state is in no environment');
  return { ...row, environment: name };
};

function* held(setting: Setting, row: MergedRow): Steps<HeldUserState> {
  const userState = yield* lockUserState(setting, keyOf(row));
  if (userState === undefined) throw new StoreFault('a merge has lost a user state');
  return userState;
}

/** Makes the guest's state a version of the survivor's, followed by the final version. Returns the version. */
function* mergeBoth(
  setting: Setting,
  given: NewMerge,
  guest: MergedRow,
  row: MergedRow,
  isCompared: boolean,
): Steps<number> {
  const { writtenAt, retention } = given;
  const theirs = yield* held(setting, guest);
  const own = yield* held(setting, row);
  const asGuest = { stateText: theirs.stateText, stateBytes: theirs.stateBytes, writtenAt, retention };
  const stays = isCompared ? given : own;
  const replaced = yield* replaceUserState(setting, keyOf(row), own, asGuest);
  const last = { stateText: stays.stateText, stateBytes: stays.stateBytes, writtenAt, retention };
  return (yield* replaceUserState(setting, keyOf(row), replaced, last)).version;
}

/** Returns the version of the survivor's state where the two were compared. */
function* mergeUserStates(setting: Setting, given: NewMerge, { ofGuest, ofSurvivor, isCompared }: Both): Steps<number> {
  const { key, guestId, writtenAt, retention } = given;
  let version: number | undefined;
  let stays = ofSurvivor.find(isCompared);
  for (const [slug, userStates] of Map.groupBy(ofGuest, (row) => row.slug)) {
    const moved = userStates.filter((row) => !ofSurvivor.some((one) => isSamePlace(one, row)));
    // Done while both players still exist.
    for (const row of userStates) {
      const existing = ofSurvivor.find((one) => isSamePlace(one, row));
      if (existing === undefined) continue;
      const merged = yield* mergeBoth(setting, given, row, existing, isCompared(row));
      if (isCompared(row)) version = merged;
    }
    const [{ accountId, projectId } = { accountId: '', projectId: '' }] = userStates;
    const isNew = !ofSurvivor.some((one) => one.slug === slug);
    const guest = { accountId, slug, projectId, playerId: guestId };
    const now = yield* setting.engine.moveUserStates(guest, key.playerId, { userStates, moved, isNew });
    stays = now.find(isCompared) ?? stays;
  }
  if (version !== undefined) return version;
  if (stays === undefined) throw new StoreFault('a merge has lost the user state that it is about');
  const current = yield* held(setting, stays);
  if (current.stateText === given.stateText) return current.version;
  const next = { stateText: given.stateText, stateBytes: given.stateBytes, writtenAt, retention };
  return (yield* replaceUserState(setting, keyOf(stays), current, next)).version;
}

/** Concurrent changes of these user states wait, or are seen. */
function* merge(setting: Setting, given: NewMerge): Steps<MergeOutcome> {
  const { engine } = setting;
  const { key, guestId, repeat, writtenAt } = given;
  const { accountId, playerId: survivorId } = key;
  if (repeat !== undefined) {
    // No row: the key is new.
    const known = yield* first(findRepeat, [accountId, scopeHash(repeat.scope), repeat.key]);
    if (known !== undefined) return { kind: 'repeated', ...toFoundRepeat(known, repeat) };
  }
  // No row: no such project.
  const project = yield* first('SELECT project_id FROM projects WHERE account_id = $1 AND slug = $2', [
    accountId,
    key.slug,
  ]);
  if (project === undefined) return { kind: 'no_project' };
  if (yield* areTokensRevoked(key, given.epoch)) return { kind: 'token_ended' };
  if ((yield* findPlayer(undefined, accountId, guestId)) !== undefined) return { kind: 'guest_upgraded' };
  if (((yield* findPlayer(undefined, accountId, survivorId)) ?? survivorId) !== survivorId) return { kind: 'ended' };
  if (
    (yield* isBlockedAnywhere(accountId, guestId, writtenAt)) ||
    (yield* isBlockedAnywhere(accountId, survivorId, writtenAt))
  ) {
    return { kind: 'blocked' };
  }
  yield* engine.lockFirstWrites(accountId, guestId);
  yield* engine.lockFirstWrites(accountId, survivorId);
  const rows = (yield* engine.lockUserStates(accountId, guestId, survivorId)).map((row) => toRow(accountId, row));
  const both: Both = {
    ofGuest: rows.filter(({ playerId }) => playerId === guestId),
    ofSurvivor: rows.filter(({ playerId }) => playerId === survivorId),
    isCompared: ({ slug, environment }) => slug === key.slug && environment === environmentNumbers[key.environment],
  };
  const [from, into] = [both.ofGuest.find(both.isCompared), both.ofSurvivor.find(both.isCompared)];
  if ((from?.version ?? null) !== given.fromVersion || (into?.version ?? null) !== given.ifVersion) {
    return { kind: 'conflict', currentVersion: into?.version ?? null };
  }
  if (both.ofGuest.length === 0) return { kind: 'nothing' };
  if (from === undefined && into === undefined) return { kind: 'no_user_state' };
  const version = yield* withinQuota(setting, accountId, mergeUserStates(setting, given, both));
  if (typeof version !== 'number') return version;
  yield* retireGuest(accountId, guestId, survivorId, writtenAt);
  yield* revokePlayerTokens(setting, { accountId, slug: null, environment: null }, guestId, writtenAt);
  if (repeat !== undefined) {
    // One row, always. It replaces the one that is so many versions older.
    yield* all(
      `INSERT INTO write_repeats (account_id, scope, slot, repeat_key, request, version, written_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (account_id, scope, slot) DO UPDATE SET repeat_key = excluded.repeat_key, request = excluded.request,
         version = excluded.version, written_at = excluded.written_at`,
      [accountId, scopeHash(repeat.scope), version % repeatsOfDocumentMax, repeat.key, repeat.request, version, writtenAt],
    );
  }
  const slugs = [...new Set([key.slug, ...both.ofGuest.map(({ slug }) => slug)])].sort();
  const data = { endUserId: survivorId, guestId };
  for (const slug of slugs) yield* storeEvent({ accountId, slug }, { type: 'player.merged', at: writtenAt, data });
  return { kind: 'merged', version, slugs };
}

export const mergeVerbs = {
  /** Whether a player has a user state in any project of an account. */
  hasUserStates: smallRead(hasUserStates),
  /**
   * Merges a guest into a player, in all projects and environments of the account, in one step. Where both have a user state, the guest's
   * becomes the survivor's next version, followed by the final one: `stateText` where the two were compared, the survivor's own elsewhere.
   * User states that only the guest has move. The guest is retired: later writes by the guest are refused on every node.
   */
  mergeGuest: write(merge, {
    locks: ({ key }) => ofItsAccount(key),
    changes: ({ key }) => accountName(key.accountId),
    invalidates: ({ key, guestId }) => playerChange({ accountId: key.accountId, slug: null }, guestId),
    charactersOf: ({ stateText }) => stateText.length,
    isWithoutEffect: ({ kind }) => kind !== 'merged',
  }),
};

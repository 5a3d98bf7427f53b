/** Authorization codes and refresh-token families. Only the use of a refresh token is written separately for each engine. */

import { isSuspendedSql } from '../../../access/rules/account-status.ts';
import type { AuthorizationCode, RefreshFamily } from '../../contract/sign-ins.ts';
import { optionalTextAt } from '../../rows/columns.ts';
import { environmentNumbers } from '../../rows/environment-numbers.ts';
import { toAuthorizationCode, toRefreshFamily } from '../../rows/sign-in-rows.ts';
import { encodeOptional, encodeText } from '../../rows/stored-texts.ts';
import { isBlockedIn } from '../players/player-blocks.ts';
import { epochOf, lockPlayer } from '../players/player-revocations.ts';
import { all, first, type Steps } from '../steps.ts';
import { type Setting, smallRead, write } from '../verb.ts';
import { revokeTokensOf } from './revoked-tokens.ts';
import { revokeFamilies } from './user-sign-ins.ts';

/** The number of rows that a sweep reads in one step, and the maximum number of steps until it finds a row to delete. */
export const sweptRowsMax = 250;
const sweepTurnsMax = 8;

function* addCode({ engine }: Setting, codeHash: Uint8Array, code: AuthorizationCode): Steps<'added' | 'no_project'> {
  const added = yield* all(engine.signIns.addCode, [
    codeHash,
    code.accountId,
    code.slug,
    code.environment && environmentNumbers[code.environment],
    encodeText(code.clientId),
    encodeText(code.subject),
    encodeText(code.scope),
    encodeText(code.redirectUri),
    encodeText(code.codeChallenge),
    code.expiresAt,
    encodeOptional(code.email),
    encodeOptional(code.name),
    code.amr ?? null,
  ]);
  return added.length === 0 ? 'no_project' : 'added';
}

function* findCode(
  { engine }: Setting,
  codeHash: Uint8Array,
  now: number,
): Steps<{ readonly code: AuthorizationCode; readonly spentForFamilyId: string | null } | undefined> {
  const row = yield* first(engine.signIns.findCode, [codeHash, now]);
  return row && { code: toAuthorizationCode(row), spentForFamilyId: optionalTextAt(row, 'family_id') };
}

/** Spends a code for a family, and returns the outcome. Everything else in the exchange is in the same transaction. */
export function* redeemCode(
  setting: Setting,
  codeHash: Uint8Array,
  family: RefreshFamily,
  secretHash: Uint8Array,
  now: number,
): Steps<'redeemed' | 'replayed' | 'unknown' | 'ended'> {
  const { familyId, createdAt, idleExpiresAt, absoluteExpiresAt, sessionLabel, epoch = 0 } = family;
  if (yield* hasEnded(family, now)) return 'ended';
  const values = [
    codeHash,
    familyId,
    createdAt,
    idleExpiresAt,
    absoluteExpiresAt,
    secretHash,
    now,
    sessionLabel ?? null,
    epoch,
  ];
  if ((yield* first(setting.engine.signIns.spendCode, values)) !== undefined) return 'redeemed';
  const revoked = yield* all(setting.engine.signIns.revokeSpent, [codeHash]);
  yield* revokeTokensOf(setting, revoked, now);
  return revoked.length === 0 ? 'unknown' : 'replayed';
}

/**
 * Whether a player may not have a new family. A concurrent step that blocks the player or ends tokens either is seen here, or sees the
 * family.
 */
function* hasEnded({ accountId, slug, environment, subject, epoch = 0 }: RefreshFamily, now: number): Steps<boolean> {
  if (slug === null || environment === null) return false;
  yield* lockPlayer(accountId, subject);
  if ((yield* epochOf({ accountId, slug, environment, playerId: subject })) !== epoch) return true;
  return yield* isBlockedIn({ accountId, slug }, subject, now);
}

function* findFamily({ engine }: Setting, familyId: string, now: number): Steps<RefreshFamily | undefined> {
  const row = yield* first(engine.signIns.findFamily, [familyId, now]);
  return row && toRefreshFamily(row);
}

function* isSuspended({ engine }: Setting, familyId: string): Steps<boolean> {
  const { families } = engine.signIns;
  // No row: there is no such family, or its account is not suspended.
  const row = yield* first(
    `SELECT 1 AS found FROM ${families} JOIN accounts USING (account_id) WHERE family_id = $1 AND ${isSuspendedSql}`,
    [familyId],
  );
  return row !== undefined;
}

function* revokeFamily(setting: Setting, familyId: string, now: number): Steps<boolean> {
  const revoked = yield* all(revokeFamilies(setting.engine.signIns, 'family_id = $1'), [familyId]);
  yield* revokeTokensOf(setting, revoked, now);
  return revoked.length > 0;
}

/** Several nodes may do this at the same time. */
function* sweep({ engine: { signIns } }: Setting, now: number): Steps<number> {
  let removed = 0;
  for (let turn = 0; turn < sweepTurnsMax && removed === 0; turn++) {
    for (const remove of signIns.removeEnded) removed += (yield* all(remove, [now])).length;
    const postponed = yield* all(signIns.postponeLiving, [now]);
    if (postponed.length < sweptRowsMax) break;
  }
  return removed;
}

/** Each step is independent: a statement that has waited for a concurrent use sees the code as that use left it. */
const effect = { isolation: 'statement' } as const;

export const signInVerbs = {
  /** `codeHash` is the SHA-256 of the code. `no_project` if the account or project of the grant does not exist. */
  addAuthorizationCode: write(addCode, effect),
  /**
   * A code, with the family that it was spent for, if any. Changes nothing. An unspent code is found until it expires. A spent code is
   * found as long as its family lives, so a late use is recognised, but without email and name.
   */
  findAuthorizationCode: smallRead(findCode),
  /**
   * Spends a code and adds the family with its first token in one step: of parallel uses, exactly one gets `redeemed`. `replayed` if the
   * code was spent before, even if it has expired since; its family is revoked in the same step. `unknown` if the code expired unspent, or
   * its account or project no longer exists. The family gets the grant of the code. `ended`, with nothing changed, if the player's epoch is
   * no longer the family's, or the player is blocked.
   */
  redeemAuthorizationCode: write(redeemCode),
  /** The live family of a token, current or not; undefined if unknown, expired or revoked. Changes nothing. */
  findRefreshFamily: smallRead(findFamily),
  /**
   * Whether a family belongs to a suspended account: until the suspension ends, the family cannot be found or used, and no code can be
   * redeemed.
   */
  isSuspendedFamily: smallRead(isSuspended),
  /** Ends a family with its access tokens. Returns whether it was alive. A parallel refresh leaves no usable token. */
  revokeRefreshFamily: write(revokeFamily),
  /** Deletes unusable codes and families, a bounded number at a time. Returns the number deleted. */
  sweepExpiredSignIns: write(sweep, effect),
};

/** Authorization codes and refresh-token families. Only the use of a refresh token is written separately for each engine. */

import type { AuthorizationCode, RefreshFamily } from '../contract/sign-in-store.ts';
import { optionalTextAt } from '../rows/columns.ts';
import { encodeOptional, encodeText, environmentNumbers, toAuthorizationCode, toRefreshFamily } from '../rows/rows.ts';
import { isBlockedIn } from './player-blocks.ts';
import { epochOf, lockPlayer } from './player-revocations.ts';
import { revokeTokensOf } from './revoked-tokens.ts';
import { all, first, type Steps } from './steps.ts';
import { read, type Setting, write } from './verb.ts';

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
  return (yield* first(engine.signIns.findSuspended, [familyId])) !== undefined;
}

function* revokeFamily(setting: Setting, familyId: string, now: number): Steps<boolean> {
  const revoked = yield* all(setting.engine.signIns.revokeFamily, [familyId]);
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
  addAuthorizationCode: write(addCode, effect),
  findAuthorizationCode: read(findCode),
  redeemAuthorizationCode: write(redeemCode),
  findRefreshFamily: read(findFamily),
  isSuspendedFamily: read(isSuspended),
  revokeRefreshFamily: write(revokeFamily),
  sweepExpiredSignIns: write(sweep, effect),
};

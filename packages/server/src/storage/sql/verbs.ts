/** All shared verbs of the store, by name. An engine only defines how to run their steps. */
import type { Awaitable } from '../../common/awaitable.ts';
import { accountVerbs } from './accounts.ts';
import { apiKeyVerbs } from './api-keys.ts';
import { auditVerbs } from './audit.ts';
import { clockMarkVerbs } from './clock-mark.ts';
import { developerVerbs } from './developers.ts';
import { displayNameVerbs } from './display-names.ts';
import { federatedUserVerbs } from './federated-users.ts';
import { mergeVerbs } from './guest-merge.ts';
import { identityVerbs } from './identities.ts';
import { identityProviderVerbs } from './identity-providers.ts';
import { invitationVerbs } from './invitations.ts';
import { keptKeyVerbs } from './kept-keys.ts';
import { markVerbs } from './marks.ts';
import { memberVerbs } from './members.ts';
import { ownMethodVerbs } from './own-methods.ts';
import { passkeyVerbs, ticketVerbs } from './passkeys.ts';
import { passwordResetVerbs } from './password-resets.ts';
import { playerAuthVerbs } from './player-auth.ts';
import { erasureVerbs } from './player-erasure.ts';
import { playerLinkVerbs } from './player-links.ts';
import { playerVerbs } from './player-restrictions.ts';
import { playerSearchVerbs } from './player-search.ts';
import { playerWordVerbs } from './player-words.ts';
import { projectPlayerVerbs } from './project-players.ts';
import { projectVerbs } from './projects.ts';
import { proposalVerbs } from './proposals.ts';
import { publicHistoryVerbs } from './public-retention.ts';
import { repeatVerbs } from './repeats.ts';
import { requestFigureVerbs } from './request-figures.ts';
import { revokedTokenVerbs } from './revoked-tokens.ts';
import { schemaVerbs } from './schemas.ts';
import { secondFactorVerbs } from './second-factors.ts';
import { serviceAccountVerbs } from './service-accounts.ts';
import { sessionVerbs } from './sessions.ts';
import { signInVerbs } from './sign-ins.ts';
import { signUpVerbs } from './sign-ups.ts';
import { signingKeyVerbs } from './signing-keys.ts';
import { usageVerbs } from './usage.ts';
import { userStateDeletionVerbs } from './user-state-deletion.ts';
import { userStateHistoryVerbs } from './user-state-history.ts';
import { userStateRetentionVerbs } from './user-state-retention.ts';
import { userStateSliceVerbs } from './user-state-slices.ts';
import { userVerbs } from './users.ts';
import type { Read, Uncleared, Verb, Write } from './verb.ts';
import { waitingMailVerbs } from './waiting-mails.ts';
import { webhookClaimVerbs } from './webhook-claims.ts';
import { webhookDeliveryVerbs } from './webhook-deliveries.ts';
import { webhookVerbs } from './webhooks.ts';

const verbs = {
  ...accountVerbs,
  ...projectVerbs,
  ...apiKeyVerbs,
  ...serviceAccountVerbs,
  ...developerVerbs,
  ...invitationVerbs,
  ...memberVerbs,
  ...displayNameVerbs,
  ...playerAuthVerbs,
  ...userStateDeletionVerbs,
  ...identityVerbs,
  ...playerVerbs,
  ...erasureVerbs,
  ...playerSearchVerbs,
  ...playerWordVerbs,
  ...projectPlayerVerbs,
  ...repeatVerbs,
  ...publicHistoryVerbs,
  ...userStateHistoryVerbs,
  ...userStateRetentionVerbs,
  ...userStateSliceVerbs,
  ...usageVerbs,
  ...requestFigureVerbs,
  ...auditVerbs,
  ...signingKeyVerbs,
  ...keptKeyVerbs,
  ...clockMarkVerbs,
  ...ticketVerbs,
  ...markVerbs,
  ...userVerbs,
  ...signInVerbs,
  ...revokedTokenVerbs,
  ...playerLinkVerbs,
  ...mergeVerbs,
  ...signUpVerbs,
  ...passwordResetVerbs,
  ...waitingMailVerbs,
  ...passkeyVerbs,
  ...secondFactorVerbs,
  ...ownMethodVerbs,
  ...sessionVerbs,
  ...schemaVerbs,
  ...proposalVerbs,
  ...identityProviderVerbs,
  ...federatedUserVerbs,
  ...webhookVerbs,
  ...webhookDeliveryVerbs,
  ...webhookClaimVerbs,
};

export type SharedVerbName = keyof typeof verbs;

/** The store methods that follow from the verbs: reads may return their result synchronously. Comments on the verbs say what each does. */
export type SharedVerbs = {
  readonly [Name in keyof typeof verbs]: (typeof verbs)[Name] extends Read<infer Args, infer Result>
    ? (...args: Args) => Awaitable<Result>
    : (typeof verbs)[Name] extends Write<infer Args, infer Result>
      ? (...args: Args) => Promise<Exclude<Result, Uncleared>>
      : never;
};

/** Calls a verb with any arguments. */
export type CallVerb = (verb: Verb, name: SharedVerbName, args: never) => unknown;

/** The writing verbs, and whether the audit trail records each. */
export const writingVerbs = Object.entries(verbs).flatMap(([name, verb]) =>
  verb.kind === 'write' ? [{ name, isAudited: 'isAudited' in verb }] : [],
);

export const sharedVerb = (name: SharedVerbName): Verb => verbs[name];

/** Returns the store methods whose steps `call` runs: a promise for a write. */
export function bindSharedVerbs(call: CallVerb): SharedVerbs {
  const methods = Object.entries(verbs).map(([name, verb]) => [
    name,
    (...args: never) => call(verb, name as SharedVerbName, args),
  ]);
  return Object.fromEntries(methods) as SharedVerbs;
}

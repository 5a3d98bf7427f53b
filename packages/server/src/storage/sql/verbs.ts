/** All shared verbs of the store, by name. An engine only defines how to run their steps. */
import type { Awaitable } from '../../common/async/awaitable.ts';
import { engineVerbs, type VerbKind } from '../contract/engine-verbs.ts';
import type { OwnerOf } from '../contract/read-owner.ts';
import { accountVerbs } from './accounts/accounts.ts';
import { developerVerbs } from './accounts/developers.ts';
import { displayNameVerbs } from './accounts/display-names.ts';
import { invitationVerbs } from './accounts/invitations.ts';
import { memberVerbs } from './accounts/members.ts';
import { serviceAccountVerbs } from './accounts/service-accounts.ts';
import type { Uncleared } from './accounts/uncleared.ts';
import { auditVerbs } from './audit/audit.ts';
import { mergeVerbs } from './players/guest-merge.ts';
import { identityVerbs } from './players/identities.ts';
import { erasureVerbs } from './players/player-erasure.ts';
import { playerLinkVerbs } from './players/player-links.ts';
import { playerVerbs } from './players/player-restrictions.ts';
import { playerSearchVerbs } from './players/player-search.ts';
import { playerWordVerbs } from './players/player-words.ts';
import { projectPlayerVerbs } from './players/project-players.ts';
import { apiKeyVerbs } from './projects/api-keys.ts';
import { playerAuthVerbs } from './projects/player-auth.ts';
import { projectVerbs } from './projects/projects.ts';
import { proposalVerbs } from './proposals/proposals.ts';
import { revokedTokenVerbs } from './sign-in/revoked-tokens.ts';
import { sessionVerbs } from './sign-in/sessions.ts';
import { signInVerbs } from './sign-in/sign-ins.ts';
import { signingKeyVerbs } from './sign-in/signing-keys.ts';
import { publicHistoryVerbs } from './states/public-retention.ts';
import { repeatVerbs } from './states/repeats.ts';
import { schemaVerbs } from './states/schemas.ts';
import { userStateDeletionVerbs } from './states/user-state-deletion.ts';
import { userStateHistoryVerbs } from './states/user-state-history.ts';
import { userStateRetentionVerbs } from './states/user-state-retention.ts';
import { userStateSliceVerbs } from './states/user-state-slices.ts';
import { clockMarkVerbs } from './upkeep/clock-trust.ts';
import { keptKeyVerbs } from './upkeep/kept-keys.ts';
import { rollbackVerbs } from './upkeep/store-rollback.ts';
import { requestFigureVerbs } from './usage/request-figures.ts';
import { usageVerbs } from './usage/usage.ts';
import { federatedUserVerbs } from './users/federated-users.ts';
import { identityProviderVerbs } from './users/identity-providers.ts';
import { ownMethodVerbs } from './users/own-methods.ts';
import { passkeyVerbs, ticketVerbs } from './users/passkeys.ts';
import { passwordResetVerbs } from './users/password-resets.ts';
import { secondFactorVerbs } from './users/second-factors.ts';
import { signUpVerbs } from './users/sign-ups.ts';
import { userVerbs } from './users/users.ts';
import { waitingMailVerbs } from './users/waiting-mails.ts';
import type { Read, Verb, Write } from './verb.ts';
import { webhookClaimVerbs } from './webhooks/webhook-claims.ts';
import { webhookDeliveryVerbs } from './webhooks/webhook-deliveries.ts';
import { webhookVerbs } from './webhooks/webhooks.ts';

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
  ...rollbackVerbs,
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

/** All of them, to derive tables of their attributes from. */
const sharedVerbs: readonly (readonly [SharedVerbName, Verb])[] = Object.entries(verbs) as [SharedVerbName, Verb][];

/** The writing verbs, and whether the audit trail records each. */
export const writingVerbs = sharedVerbs.flatMap(([name, verb]) =>
  verb.kind === 'write' ? [{ name, isAudited: 'isAudited' in verb }] : [],
);

/** All verbs of the store. */
const allVerbs = { ...engineVerbs, ...verbs };
export type VerbName = keyof typeof allVerbs;

/** What each verb of the store declares. */
export const verbKinds = Object.entries(allVerbs) as readonly (readonly [VerbName, VerbKind<never>])[];

/** The reads of many or large records. */
export type LargeReadName = {
  [Name in VerbName]: (typeof allVerbs)[Name] extends { readonly kind: 'read'; readonly ownerOf: OwnerOf<never> }
    ? Name
    : never;
}[VerbName];

/** They wait for the turn of their owners. */
export const largeReads = verbKinds.flatMap(([name, verb]) =>
  verb.kind === 'read' && verb.ownerOf !== undefined ? [{ name: name as LargeReadName, ownerOf: verb.ownerOf }] : [],
);

const writesOf = (isPreparation: boolean): readonly VerbName[] =>
  verbKinds.flatMap(([name, verb]) =>
    verb.kind === 'write' && (verb.preparesWrite ?? false) === isPreparation ? [name] : [],
  );

/** The verbs that write for a request, and those that only prepare a write. */
export const requestWrites = { writes: writesOf(false), preparations: writesOf(true) };

export const sharedVerb = (name: SharedVerbName): Verb => verbs[name];

/** Returns the store methods whose steps `call` runs: a promise for a write. */
export function bindSharedVerbs(call: CallVerb): SharedVerbs {
  const methods = Object.entries(verbs).map(([name, verb]) => [
    name,
    (...args: never) => call(verb, name as SharedVerbName, args),
  ]);
  return Object.fromEntries(methods) as SharedVerbs;
}

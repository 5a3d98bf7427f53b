/**
 * The actions in an account's audit trail. An operation names the action that is recorded for it (`audit` in its entry).
 *
 * @see docs/contract.md §8.10
 */
interface ActionEntry {
  /** A sentence about the action, whose subject is the actor. */
  readonly meaning: string;
  /** Whether it concerns a player or a user state. Such actions of service accounts are not recorded. */
  readonly isOfPlayers?: true;
}

export const auditActions = {
  'account.update': { meaning: 'Changed the account.' },
  'account.limit': { meaning: 'Changed the limits of the account.' },
  'project.create': { meaning: 'Created a project.' },
  'project.update': { meaning: 'Changed a project.' },
  'project.delete': { meaning: 'Deleted a project.' },
  'api_key.create': { meaning: 'Created an API key.' },
  'api_key.limit': { meaning: 'Changed the request limit of an API key.' },
  'api_key.revoke': { meaning: 'Revoked an API key.' },
  'service_account.create': { meaning: 'Created a service account.' },
  'service_account.delete': { meaning: 'Deleted a service account.' },
  'service_account_secret.create': { meaning: 'Added a secret to a service account.' },
  'service_account_secret.delete': { meaning: 'Deleted a secret of a service account.' },
  'sign_in_settings.update': { meaning: 'Changed the sign-in settings of a project.' },
  'identity_provider.update': { meaning: 'Set up or changed an identity provider.' },
  'identity_provider.delete': { meaning: 'Removed an identity provider.' },
  'member.join': { meaning: 'Accepted an invitation.' },
  'member.update': { meaning: 'Changed the role or environments of a member.' },
  'member.remove': { meaning: 'Removed a member, or left.' },
  'invitation.create': { meaning: 'Invited somebody.' },
  'invitation.withdraw': { meaning: 'Withdrew an invitation.' },
  'user.delete': { meaning: 'Deleted a user.', isOfPlayers: true },
  'user_state.write': { meaning: 'Wrote the save of a player.', isOfPlayers: true },
  'user_state.delete': { meaning: 'Deleted all saves of a player in a project.', isOfPlayers: true },
  'webhook.create': { meaning: 'Created a webhook.' },
  'webhook.change': { meaning: 'Changed a webhook.' },
  'webhook.delete': { meaning: 'Deleted a webhook.' },
  'webhook.rotate': { meaning: 'Replaced the secret of a webhook.' },
  'schema.write': { meaning: 'Wrote a schema.' },
  'schema.delete': { meaning: 'Deleted a schema.' },
  'player.block': { meaning: 'Blocked a player.', isOfPlayers: true },
  'player.unblock': { meaning: 'Unblocked a player.', isOfPlayers: true },
  'player.sign_out': { meaning: 'Ended all sessions of a player.', isOfPlayers: true },
  'player.export': { meaning: 'Exported the data of a player.', isOfPlayers: true },
  'player.delete': { meaning: 'Erased a player from a project.', isOfPlayers: true },
  'proposal.create': { meaning: 'Proposed a change to public state.' },
  'proposal.edit': { meaning: 'Edited a proposal.' },
  'proposal.approve': { meaning: 'Approved a proposal, or took the approval back.' },
  'proposal.apply': { meaning: 'Applied a proposal.' },
  'proposal.override': { meaning: 'Applied a proposal without the required approvals.' },
  'proposal.withdraw': { meaning: 'Withdrew a proposal.' },
  'proposal.fail': { meaning: 'Scheduled a proposal that could not be applied or reverted at its time.' },
  'proposal.revert': { meaning: 'Scheduled a proposal that was reverted at its time.' },
  'state.write': { meaning: 'Wrote public state in a protected environment.' },
  'audit.summarize': { meaning: 'Did more on one day than is recorded singly. This record counts the rest.' },
} as const satisfies Readonly<Record<string, ActionEntry>>;

export type AuditAction = keyof typeof auditActions;
export const isAuditAction = (text: string): text is AuditAction => Object.hasOwn(auditActions, text);

/** Whether an action concerns a player or a user state. */
export const isOfPlayers = (action: AuditAction): boolean => {
  const entry: ActionEntry = auditActions[action];
  return entry.isOfPlayers === true;
};

/** The kinds of recorded actors. */
export const auditActorKinds = ['developer', 'api_key', 'service_account', 'operator'] as const;
export type AuditActorKind = (typeof auditActorKinds)[number];

/** Records per actor and UTC day. One further record counts the rest. */
export const auditRecordsPerDay = 1_000;

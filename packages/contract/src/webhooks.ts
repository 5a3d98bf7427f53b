/** The events of webhooks, and the words of their records. @see docs/contract.md §8.13 */

/** The types of events that a webhook can subscribe to. */
export const webhookEvents = {
  'public_state.changed': 'Public state was written.',
  'proposal.create': 'A change to public state was proposed.',
  'proposal.edit': 'A proposal was edited.',
  'proposal.approve': 'A proposal was approved, or an approval taken back.',
  'proposal.apply': 'A proposal was applied.',
  'proposal.override': 'A proposal was applied without the required approvals.',
  'proposal.withdraw': 'A proposal was withdrawn.',
  'proposal.fail': 'A proposal could not be applied or reverted at its time.',
  'proposal.revert': 'A proposal was reverted at its time.',
  'schema.changed': 'A version of a schema was written, or the schema was deleted.',
  'player.created': "A player signed in for the first time, or a guest's first save was stored.",
  'player.upgraded': 'A guest signed up and became a player with a sign-in.',
  'player.merged': 'A guest was merged into a player.',
  'player.blocked': 'A player was blocked.',
  'player.unblocked': 'A player was unblocked.',
  'player.erased': 'A player was erased.',
  'api_key.created': 'An API key was created.',
  'api_key.revoked': 'An API key was revoked.',
} as const satisfies Readonly<Record<string, string>>;
export type WebhookEvent = keyof typeof webhookEvents;

/** Types that come without a subscription. */
export type UnsubscribedEvent = 'test' | 'events.dropped';

/** The events that name an environment. `environments` of a webhook narrows only these. */
export const webhookEventsOfEnvironments = [
  'public_state.changed',
  'proposal.create',
  'proposal.edit',
  'proposal.approve',
  'proposal.apply',
  'proposal.override',
  'proposal.withdraw',
  'proposal.fail',
  'proposal.revert',
  'schema.changed',
] as const satisfies readonly WebhookEvent[];

export const webhookDeliveryStatuses = ['waiting', 'delivered', 'failed'] as const;
export type WebhookDeliveryStatus = (typeof webhookDeliveryStatuses)[number];

/** Why the service switched a webhook off: the receiver replied 410, failed for five days, or the data was restored or imported. */
export const webhookDisabledReasons = ['gone', 'failures', 'restored', 'imported'] as const;
export type WebhookDisabledReason = (typeof webhookDisabledReasons)[number];

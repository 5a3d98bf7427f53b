/**
 * Which documents webhooks subscribe to, so that a write without subscribers stores no event. Cached per project until an access change of
 * the project: a write costs one map look-up.
 */
import { type Environment, environments, type WebhookEvent } from '@holdfast/contract';
import { type Awaitable, mapAwaitable } from '../common/async/awaitable.ts';
import { projectName } from '../storage/caches/record-names.ts';
import { AccessCache } from '../storage/caches/scoped-cache.ts';
import type { ProjectKey } from '../storage/contract/projects.ts';
import type { PublicStateKey } from '../storage/contract/public-states.ts';
import { type SubscriberIds, subscriberIds, type Webhook } from '../storage/contract/webhooks.ts';
import type { Store } from '../storage/store.ts';

/** Up to some 1,500 bytes for each project. */
const bytesMax = 8 * 1024 * 1024;

/** The webhooks of a project that subscribe to what is written often. */
interface Subscribed {
  readonly publicState: ReadonlyMap<Environment, SubscriberIds>;
  readonly newPlayers: SubscriberIds | undefined;
}
const none: Subscribed = { publicState: new Map(), newPlayers: undefined };

/** The ids of subscribers. Other nodes' changes count within a second. */
export interface Subscriptions {
  ofState(key: PublicStateKey): Awaitable<SubscriberIds | undefined>;
  ofNewPlayers(key: ProjectKey): Awaitable<SubscriberIds | undefined>;
}

/** Returns the subscriptions, as far as this node knows. */
export function createSubscriptions(store: Pick<Store, 'listWebhooks' | 'onAccessChange'>): Subscriptions {
  const projects = new AccessCache<Subscribed>(store, { bytesMax, scopeOf: (name) => name.split('/') });
  const read = (name: string, key: ProjectKey) =>
    projects.fill(name, () => mapAwaitable(store.listWebhooks(key), (found) => subscribedBy(found ?? [])));
  const subscribedIn = (key: ProjectKey): Awaitable<Subscribed> => {
    const name = projectName(key);
    return projects.get(name) ?? read(name, key);
  };
  return {
    ofState: (key) => mapAwaitable(subscribedIn(key), ({ publicState }) => publicState.get(key.environment)),
    ofNewPlayers: (key) => mapAwaitable(subscribedIn(key), ({ newPlayers }) => newPlayers),
  };
}

function subscribedBy(webhooks: readonly Webhook[]): Subscribed {
  const enabled = webhooks.filter((webhook) => webhook.enabled);
  if (enabled.length === 0) return none;
  const idsOf = (event: WebhookEvent, environment?: Environment): SubscriberIds | undefined => {
    const subscribed = enabled.filter(
      ({ events, environments: chosen }) =>
        events.includes(event) && (environment === undefined || chosen === null || chosen.includes(environment)),
    );
    return subscribed.length === 0 ? undefined : subscriberIds(subscribed.map(({ webhookId }) => webhookId));
  };
  const ofState = environments.map((environment) => [environment, idsOf('public_state.changed', environment)] as const);
  return {
    publicState: new Map(ofState.flatMap(([environment, ids]) => (ids === undefined ? [] : [[environment, ids]]))),
    newPlayers: idsOf('player.created'),
  };
}

/**
 * Which documents webhooks listen to, so that a write which nobody listens to stores no event. Cached per project until an access change of
 * the project: a write costs one map look-up.
 */
import { type Environment, environments, type WebhookEvent } from '@holdfast/contract';
import { type Awaitable, mapAwaitable } from '../common/awaitable.ts';
import { AccessCache } from '../storage/caches/scoped-cache.ts';
import type { ProjectKey } from '../storage/contract/management.ts';
import type { PublicStateKey } from '../storage/contract/public-states.ts';
import { joinedHearers, type Webhook } from '../storage/contract/webhooks.ts';
import type { Store } from '../storage/store.ts';

/** Up to some 1,500 bytes for each project. */
const bytesMax = 8 * 1024 * 1024;

/** The webhooks of a project that listen to what is written often: their ids, as in `NewPublicState`. */
interface Heard {
  readonly publicState: ReadonlyMap<Environment, string>;
  readonly newPlayers: string | undefined;
}
const none: Heard = { publicState: new Map(), newPlayers: undefined };

/** The ids of those that listen, as in `NewPublicState`. Other nodes' changes count within a second. */
export interface Subscriptions {
  ofState(key: PublicStateKey): Awaitable<string | undefined>;
  ofNewPlayers(key: ProjectKey): Awaitable<string | undefined>;
}

/** Returns what webhooks listen to, as far as this node knows. */
export function createSubscriptions(store: Pick<Store, 'listWebhooks' | 'onAccessChange'>): Subscriptions {
  const projects = new AccessCache<Heard>(store, { bytesMax, scopeOf: (name) => name.split('/') });
  const names = new WeakMap<ProjectKey, string>();
  const nameOf = (key: ProjectKey): string => {
    const known = names.get(key);
    if (known !== undefined) return known;
    const name = `${key.accountId}/${key.slug}`;
    names.set(key, name);
    return name;
  };
  const read = (name: string, key: ProjectKey) =>
    projects.fill(name, () => mapAwaitable(store.listWebhooks(key), (found) => heardBy(found ?? [])));
  const heardIn = (key: ProjectKey): Awaitable<Heard> => {
    const name = nameOf(key);
    return projects.get(name) ?? read(name, key);
  };
  return {
    ofState: (key) => mapAwaitable(heardIn(key), ({ publicState }) => publicState.get(key.environment)),
    ofNewPlayers: (key) => mapAwaitable(heardIn(key), ({ newPlayers }) => newPlayers),
  };
}

function heardBy(webhooks: readonly Webhook[]): Heard {
  const enabled = webhooks.filter((webhook) => webhook.enabled);
  if (enabled.length === 0) return none;
  const idsOf = (event: WebhookEvent, environment?: Environment): string | undefined => {
    const hear = enabled.filter(
      ({ events, environments: chosen }) =>
        events.includes(event) && (environment === undefined || chosen === null || chosen.includes(environment)),
    );
    return hear.length === 0 ? undefined : joinedHearers(hear.map(({ webhookId }) => webhookId));
  };
  const ofState = environments.map((environment) => [environment, idsOf('public_state.changed', environment)] as const);
  return {
    publicState: new Map(ofState.flatMap(([environment, ids]) => (ids === undefined ? [] : [[environment, ids]]))),
    newPlayers: idsOf('player.created'),
  };
}

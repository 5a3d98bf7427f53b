/**
 * Which documents webhooks listen to, so that a write which nobody listens to stores no event. Cached per project until an access change of
 * the project: a write costs one map look-up.
 */
import { type Environment, environments } from '@holdfast/contract';
import { type Awaitable, mapAwaitable } from '../common/awaitable.ts';
import { AccessCache } from '../storage/caches/scoped-cache.ts';
import type { Webhook } from '../storage/contract/webhooks.ts';
import type { ProjectKey, PublicStateKey, Store } from '../storage/store.ts';

/** Some 600 bytes for each project. */
const bytesMax = 8 * 1024 * 1024;

/** What webhooks of a project listen to, of what is written often. */
interface Heard {
  readonly publicState: ReadonlySet<Environment>;
  readonly newPlayers: boolean;
}
const none: Heard = { publicState: new Set(), newPlayers: false };

/** What may be listened to. Other nodes' changes count within a second. */
export interface Subscriptions {
  mayHearState(key: PublicStateKey): Awaitable<boolean>;
  mayHearNewPlayers(key: ProjectKey): Awaitable<boolean>;
}

/** Returns what webhooks may listen to, as far as this node knows. */
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
    mayHearState: (key) => mapAwaitable(heardIn(key), ({ publicState }) => publicState.has(key.environment)),
    mayHearNewPlayers: (key) => mapAwaitable(heardIn(key), ({ newPlayers }) => newPlayers),
  };
}

function heardBy(webhooks: readonly Webhook[]): Heard {
  const enabled = webhooks.filter((webhook) => webhook.enabled);
  if (enabled.length === 0) return none;
  const ofState = enabled.filter(({ events }) => events.includes('public_state.changed'));
  return {
    publicState: new Set(ofState.flatMap((webhook) => webhook.environments ?? environments)),
    newPlayers: enabled.some(({ events }) => events.includes('player.created')),
  };
}

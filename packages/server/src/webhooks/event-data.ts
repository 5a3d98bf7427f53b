/** The JSON object of an event as it is sent. It is made at the first try, and stored for the others. */

import type { Author, PublicStateKey, ReadOutcome } from '../storage/contract/public-states.ts';
import type { ClaimedDelivery } from '../storage/contract/webhooks.ts';
import type { Store } from '../storage/store.ts';

export interface EventParts {
  readonly store: Pick<Store, 'readPublicStateVersion' | 'completeWebhookDelivery'>;
  /** Returns the operations between two documents as JSON text; undefined if they take more than 16 KiB. */
  readonly compare: (key: PublicStateKey, fromText: string, toText: string) => Promise<string | undefined>;
  /** Returns the name of an author. */
  readonly nameOf: (accountId: string, author: Author) => Promise<string | null>;
}

interface Data {
  readonly author?: Author | null;
  /** Present once the event is complete. */
  readonly ops?: unknown;
  readonly count?: number;
}

/** Returns the function that makes the data of a delivery. Rejects if the store cannot serve now. */
export function createEventData(parts: EventParts): (delivery: ClaimedDelivery) => Promise<string> {
  return async (delivery) => {
    const { type, dataText } = delivery;
    if (type !== 'public_state.changed' && type !== 'events.dropped') return dataText;
    const data = JSON.parse(dataText) as Data;
    if (data.ops !== undefined || data.count !== undefined) return dataText;
    const complete = type === 'events.dropped' ? dropped(data, delivery) : await changed(parts, data, delivery);
    await parts.store.completeWebhookDelivery(delivery, complete);
    return complete;
  };
}

const dropped = (data: Data, { version }: ClaimedDelivery): string => JSON.stringify({ ...data, count: version });

async function changed({ store, compare, nameOf }: EventParts, data: Data, delivery: ClaimedDelivery): Promise<string> {
  const { accountId, slug, environment, fromVersion, version } = delivery;
  const author = data.author && { ...data.author, name: await nameOf(accountId, data.author) };
  const rest = JSON.stringify({ ...data, ...(author !== undefined && { author }), version, from: fromVersion });
  if (environment === null || fromVersion === null || version === null) throw new Error('a change has no versions');
  const key = { accountId, slug, environment };
  const toText = textIn(await store.readPublicStateVersion(key, version));
  const fromText = fromVersion === 0 ? '{}' : textIn(await store.readPublicStateVersion(key, fromVersion));
  // Without one of the texts, which retention has dropped, the receiver reads the document.
  const operations = fromText === undefined || toText === undefined ? undefined : await compare(key, fromText, toText);
  return `${rest.slice(0, -1)},"ops":${operations ?? 'null'}}`;
}

const textIn = (outcome: ReadOutcome<{ readonly stateText: string }>): string | undefined =>
  outcome.kind === 'present' ? outcome.record.stateText : undefined;

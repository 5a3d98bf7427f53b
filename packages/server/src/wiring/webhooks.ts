/** Wires up webhooks: their management, and what sends events. */

import { isLoopback } from '../common/net/loopback.ts';
import { webhookHandlers } from '../http/routes/webhooks.ts';
import { authorBody, type DisplayNames } from '../management/display-names.ts';
import { isInternalAddress } from '../outbound/public-address.ts';
import { createPublicPost } from '../outbound/public-fetch.ts';
import { createSealer } from '../secrets/sealer.ts';
import { ownerOf } from '../state/documents/document-owner.ts';
import type { Evaluator } from '../state/evaluation/evaluator.ts';
import type { Subscribers } from '../state/subscribers.ts';
import { isGuestId } from '../storage/contract/guests.ts';
import { webhookPurpose, webhookRecord } from '../storage/contract/kept-keys.ts';
import type { PublicStateKey } from '../storage/contract/public-states.ts';
import type { UserStateKey } from '../storage/contract/user-states.ts';
import { createEventData } from '../webhooks/event-data.ts';
import { createFailureLog } from '../webhooks/failure-log.ts';
import { createSend } from '../webhooks/send.ts';
import { createSender } from '../webhooks/sender.ts';
import { createSubscriptions } from '../webhooks/subscriptions.ts';
import { createTargetSealer } from '../webhooks/target.ts';
import { WebhookCounts } from '../webhooks/webhook-counts.ts';
import { Webhooks } from '../webhooks/webhooks.ts';
import type { Part, Wiring } from './wiring.ts';

export interface WebhookParts extends Part {
  readonly publicSubscribers: Subscribers<PublicStateKey>;
  readonly userSubscribers: Subscribers<UserStateKey>;
  /** Begins to send. The service must be listening, since plain URLs depend on its address. */
  start(): void;
}

interface WebhookWiring extends Wiring {
  readonly evaluator: Evaluator;
  readonly names: DisplayNames;
}

/** Wires up webhooks. When closed, tries under way have a little time; what is left, another node or the next start takes over. */
export function createWebhooks(parts: WebhookWiring): WebhookParts {
  const { store, config, log, secretKeys, baseUrl, now, observation, disposal, evaluator, names } = parts;
  const isLocal = () => isLoopback(config.host) && isLoopback(new URL(baseUrl()).hostname);
  const targets = createTargetSealer(createSealer(secretKeys, webhookPurpose), webhookRecord);
  const sender = createSender({
    store,
    targets,
    send: createSend({
      postTo: (isRefused) => createPublicPost({ isRefused }),
      isLocal,
      isPrivate: isInternalAddress,
    }),
    dataOf: createEventData({
      store,
      compare: (key, fromText, toText) => evaluator.compare(ownerOf(key), fromText, toText),
      nameOf: async (accountId, author) =>
        authorBody(author, await names.ofAuthors({ kind: 'developer' }, accountId, [author]))?.name ?? null,
    }),
    now,
    counts: observation.metrics?.webhooks ?? new WebhookCounts(),
    onFailedTry: createFailureLog(log, now),
    onFault: (error) => observation.background.onBackgroundFailure('webhooks', error),
  });
  store.onAccessChange(sender.wake);
  const subscriptions = createSubscriptions(store);
  disposal.addSettling('the webhooks', () => sender.close());
  return {
    handlers: webhookHandlers(new Webhooks({ store, targets, now, wake: sender.wake, isLocal })),
    publicSubscribers: { idsOf: subscriptions.ofState, onWritten: sender.wake },
    userSubscribers: {
      // No event is about saves. A guest is created with the first one.
      idsOf: (key, isCreation) => (isCreation && isGuestId(key.playerId) ? subscriptions.ofNewPlayers(key) : undefined),
      onWritten: sender.wake,
    },
    start: sender.start,
  };
}

/** Wires up webhooks: their management, and what sends events. */

import { BlockList, isIP } from 'node:net';
import type { Handlers } from '../http/operation-request.ts';
import { webhookHandlers } from '../http/routes/webhooks.ts';
import { isOwnAddress, isPrivateAddress } from '../identity/public-address.ts';
import type { Observation } from '../observe/observation.ts';
import { WebhookCounts } from '../observe/webhook-counts.ts';
import { createSealer } from '../secrets/sealer.ts';
import { webhookPurpose, webhookRecord } from '../storage/contract/kept-key-store.ts';
import type { ClaimedDelivery } from '../storage/contract/webhook-store.ts';
import type { Send } from '../webhooks/attempt.ts';
import { eventData } from '../webhooks/event-data.ts';
import { createSender, type Sender } from '../webhooks/sender.ts';
import { createTargetSealer } from '../webhooks/target.ts';
import { Webhooks } from '../webhooks/webhooks.ts';
import { createPublicFetch } from './public-fetch.ts';
import { resolveName } from './resolve-name.ts';
import type { Wiring } from './wiring.ts';

export interface WebhookWiring {
  readonly handlers: Handlers;
  readonly sender: Pick<Sender, 'start' | 'wake'>;
  /** Waits a little for tries under way. What is left, another node or the next start takes over. */
  close(): Promise<void>;
}

/** How long a stop waits for tries under way. */
const settleMilliseconds = 5_000;
/** The least time between two lines about failed tries. */
const logMilliseconds = 60_000;

/** Wires up webhooks. `isLoopback` says whether a host, as a URL or a setting writes it, is this machine. */
export function createWebhooks(
  { store, config, log, secretKeys, baseUrl, now, observation }: Wiring & { readonly observation: Observation },
  isLoopback: (hostname: string) => boolean,
): WebhookWiring {
  const isLocal = () => isLoopback(config.host) && isLoopback(new URL(baseUrl()).hostname);
  const targets = createTargetSealer(createSealer(secretKeys, webhookPurpose), webhookRecord);
  const sender = createSender({
    store,
    targets,
    send: createSend(isLocal, isLoopback),
    dataOf: async (delivery) => eventData(delivery),
    now,
    counts: observation.metrics?.webhooks ?? new WebhookCounts(),
    onFailedTry: createFailureLog(log, now),
    onFault: (error) => observation.background.onBackgroundFailure('webhooks', error),
  });
  store.onAccessChange(() => sender.wake());
  return {
    handlers: webhookHandlers(new Webhooks({ store, targets, now, wake: sender.wake, isLocal, isLoopback })),
    sender,
    async close() {
      const timedOut = new Promise<void>((resolve) => setTimeout(resolve, settleMilliseconds).unref());
      await Promise.race([sender.close(), timedOut]);
    },
  };
}

/** Logs the first failed try and then a number a minute, and each webhook that is switched off. */
function createFailureLog(log: Wiring['log'], now: () => number) {
  let loggedAt = Number.NEGATIVE_INFINITY;
  let failures = 0;
  return ({ accountId, slug, webhookId, host, type }: ClaimedDelivery, reason: string, isOff: boolean): void => {
    failures += 1;
    const webhook = { accountId, projectSlug: slug, webhookId, host };
    if (isOff) log.warn({ ...webhook, reason }, 'a webhook was switched off');
    if (now() < loggedAt + logMilliseconds) return;
    log.info({ ...webhook, type, reason, failures }, 'tries of webhooks failed');
    loggedAt = now();
    failures = 0;
  };
}

/**
 * Returns what sends a request. `https:` goes to public addresses and the account's networks only, `http:` to this machine only. The address
 * is checked as the connection is made, and the connection is for this request alone.
 */
function createSend(isLocal: () => boolean, isLoopback: (hostname: string) => boolean): Send {
  const isNotLoopback = (address: string) => !isLoopback(address);
  return (url, { headers, body, signal }, networks) => {
    const isPlain = url.protocol === 'http:';
    if (isPlain && !isLocal()) throw new Error('http: is for this machine only');
    const isRefused = isPlain ? isNotLoopback : isOutside(networks);
    const fetch = createPublicFetch({ isRefused, resolve: resolveName });
    return fetch(url.href, { method: 'POST', headers, body, signal });
  };
}

/** Whether an address is neither public nor in one of these networks. */
function isOutside(networks: readonly string[]): (address: string) => boolean {
  const opened = new BlockList();
  for (const network of networks) {
    const [address = '', prefix = ''] = network.split('/');
    opened.addSubnet(address, Number(prefix), isIP(address) === 4 ? 'ipv4' : 'ipv6');
  }
  return (address) =>
    !opened.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6') && (isPrivateAddress(address) || isOwnAddress(address));
}

/** Metrics in the format of Prometheus. Loaded only when the settings ask for them. */

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { programCommit, programVersion } from '../common/program/version.ts';
import { MailCounts } from '../identity/built-in/mails/mail-counts.ts';
import type { StoreObserver } from '../storage/contract/store-observer.ts';
import type { Store } from '../storage/store.ts';
import { WebhookCounts } from '../webhooks/webhook-counts.ts';
import { type ObservedTask, observedTasks } from './background-log.ts';
import { type ClockGauges, showClock } from './clock-gauges.ts';
import type { OnAnswer } from './completed-request.ts';
import { byName, type Figure, showFigures } from './figures.ts';
import { registerRouteMetrics } from './route-metrics.ts';
import { SignInCounts } from './sign-in-counts.ts';
import { sizesOfStore } from './store-sizes.ts';
import type { StreamCounts } from './stream-counts.ts';

/** A store that has not responded by then counts as down, and the page does not wait for it. */
const storeMillisecondsMax = 2_000;

export interface Metrics {
  readonly onAnswer: OnAnswer;
  readonly storeObserver: StoreObserver;
  /** Counts a failure of background work. */
  countBackgroundFailure(task: ObservedTask): void;
  readonly clock: ClockGauges;
  /** Counts exchanges at the token endpoint. */
  readonly signIns: SignInCounts;
  /** Counts of mails. */
  readonly mails: MailCounts;
  /** Counts of webhooks. */
  readonly webhooks: WebhookCounts;
  /** Checks the health of a store whenever the page is read, and its size now and then. */
  watch(store: Pick<Store, 'checkReady' | 'marks' | 'measureBytes' | 'countRecords'>): void;
  /** Shows the counts of change streams. */
  watchStreams(counts: StreamCounts): void;
  /** The page, and its media type. */
  page(): Promise<{ readonly text: string; readonly mediaType: string }>;
}

/** Returns metrics that start counting now, with those of the process and its runtime. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'holdfast_build_info',
    help: 'Always 1: the version of the program, its commit if it is known, and the version of the runtime.',
    labelNames: ['version', 'commit', 'node'],
    registers,
  }).set({ version: programVersion(), commit: programCommit() ?? '', node: process.versions.node }, 1);
  const count = registerRouteMetrics(registry);
  const refusals = new Counter({
    name: 'holdfast_http_refusals_total',
    help: 'Answers with an error, by its code: `rate_limited` of a limit, `QUOTA_…` of a quota.',
    labelNames: ['code'],
    registers,
  });
  const credentials = { remembered: 0, looked_up: 0 };
  const background = new Counter({
    name: 'holdfast_background_failures_total',
    help: 'Failures of work that no request waits for, such as clearing away what was deleted.',
    labelNames: ['task'],
    registers,
  });
  for (const task of observedTasks) background.inc({ task }, 0);
  const [signIns, mails, webhooks] = [new SignInCounts(), new MailCounts(), new WebhookCounts()];
  showFigures(registry, [
    {
      kind: 'counter',
      name: 'holdfast_credentials_total',
      help: 'Accepted credentials: remembered, or looked up in the store or by their signature.',
      labels: ['found'],
      read: () => byName('found', credentials),
    },
    ...figuresOfSignIns(signIns),
    ...figuresOfMails(mails),
    ...figuresOfWebhooks(webhooks),
  ]);

  return {
    clock: showClock(registry),
    countBackgroundFailure: (task) => background.inc({ task }),
    onAnswer(completed, outcome, milliseconds) {
      count(completed, outcome, milliseconds / 1000);
      if (outcome.code !== undefined) refusals.inc({ code: outcome.code });
      signIns.answered(completed.route?.id, outcome.status);
      if (completed.principal !== undefined) credentials[completed.lookedUp ? 'looked_up' : 'remembered']++;
    },
    signIns,
    mails,
    webhooks,
    storeObserver: observeStore(registry),
    watch(store) {
      showFigures(registry, [...figuresOfStore(store), ...sizesOfStore(store)]);
    },
    watchStreams: (counts) => showFigures(registry, figuresOfStreams(counts)),
    page: async () => ({ text: await registry.metrics(), mediaType: registry.contentType }),
  };
}

function observeStore(registry: Registry): StoreObserver {
  const registers = [registry];
  const commits = new Histogram({
    name: 'holdfast_store_commit_writes',
    help: 'Writes that became durable in one transaction.',
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
    registers,
  });
  const seconds = new Histogram({
    name: 'holdfast_store_commit_duration_seconds',
    help: 'How long such a transaction took, with the sync of the disk.',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers,
  });
  const failures = new Counter({
    name: 'holdfast_store_write_failures_total',
    help: 'Writes that failed, or whose fate is unknown.',
    registers,
  });
  return {
    onOpen(writesWaiting) {
      const help = 'Writes that wait for their answer.';
      showFigures(registry, [{ kind: 'gauge', name: 'holdfast_store_writes_waiting', help, read: writesWaiting }]);
    },
    onCommit(writes, milliseconds) {
      commits.observe(writes);
      seconds.observe(milliseconds / 1000);
    },
    onFailure: (writes) => failures.inc(writes),
  };
}

function figuresOfStore(store: Pick<Store, 'checkReady' | 'marks'>): readonly Figure[] {
  return [
    {
      kind: 'gauge',
      name: 'holdfast_store_up',
      help: 'Whether the store serves: 1, or 0.',
      async read() {
        const { promise: late, resolve } = Promise.withResolvers<0>();
        const timer = setTimeout(resolve, storeMillisecondsMax, 0);
        const asked = (async () => store.checkReady())().then(
          () => 1,
          () => 0,
        );
        const isUp = await Promise.race([asked, late]);
        clearTimeout(timer);
        return isUp;
      },
    },
    {
      kind: 'gauge',
      name: 'holdfast_store_went_back',
      help: '1 after a service has seen that the store went back to an earlier moment, until `holdfast recovered` has run.',
      read: () => (store.marks().rolledBackAt > 0 ? 1 : 0),
    },
    {
      kind: 'gauge',
      name: 'holdfast_version_floor',
      help: 'New versions are at least this; 0 if the store never went back.',
      read: () => store.marks().versionFloor,
    },
  ];
}

const figuresOfSignIns = (signIns: SignInCounts): readonly Figure[] => [
  {
    kind: 'counter',
    name: 'holdfast_sign_ins_total',
    help: 'Steps of sign-ins by outcome: on the login page, and `code`, `refresh`, `guest` and `service_account` at the token endpoint.',
    labels: ['step', 'outcome'],
    read: () => Array.from(signIns, ({ count, ...labels }) => [labels, count] as const),
  },
];

const figuresOfMails = (mails: MailCounts): readonly Figure[] => [
  {
    kind: 'counter',
    name: 'holdfast_mails_total',
    help: 'Mails by outcome of a try: `sent`, `postponed` (tried again later) or `failed` (never sent).',
    labels: ['outcome'],
    read: () => byName('outcome', { sent: mails.sent, postponed: mails.postponed, failed: mails.failed }),
  },
  {
    kind: 'gauge',
    name: 'holdfast_mails_waiting',
    help: 'Unsent mails of all nodes, when this node last looked.',
    read: () => mails.waiting,
  },
];

const figuresOfWebhooks = (webhooks: WebhookCounts): readonly Figure[] => [
  {
    kind: 'counter',
    name: 'holdfast_webhook_tries_total',
    help: 'Tries of webhook deliveries by outcome: `delivered`, `postponed` (tried again later) or `failed` (the last one).',
    labels: ['outcome'],
    read: () => {
      const { delivered, postponed, failed } = webhooks;
      return byName('outcome', { delivered, postponed, failed });
    },
  },
  {
    kind: 'counter',
    name: 'holdfast_webhooks_switched_off_total',
    help: 'Webhooks that the service switched off, since their receiver was gone or failed for five days.',
    read: () => webhooks.switchedOff,
  },
];

const figuresOfStreams = (counts: StreamCounts): readonly Figure[] => [
  {
    kind: 'gauge',
    name: 'holdfast_streams',
    help: 'Change streams and long polls that are open, by whose state they tell.',
    labels: ['kind'],
    read: () => byName('kind', counts.open),
  },
  {
    kind: 'counter',
    name: 'holdfast_streams_ended_total',
    help: 'Change streams and long polls that ended, by the reason.',
    labels: ['reason'],
    read: () => byName('reason', counts.ended),
  },
  {
    kind: 'counter',
    name: 'holdfast_stream_events_total',
    help: 'Events that were sent to change streams and long polls.',
    read: () => counts.events,
  },
  {
    kind: 'counter',
    name: 'holdfast_stream_bytes_total',
    help: 'Bytes that were sent to change streams and long polls, without headers.',
    read: () => counts.bytes,
  },
];

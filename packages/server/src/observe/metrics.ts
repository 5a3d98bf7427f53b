/** Metrics in the format of Prometheus. Loaded only when the settings ask for them. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { MailCounts } from '../common/mail-counts.ts';
import { programCommit, programVersion } from '../common/version.ts';
import type { StoreObserver } from '../storage/contract/store-observer.ts';
import type { Store } from '../storage/store.ts';
import { type ObservedTask, observedTasks } from './background-log.ts';
import { type ClockGauges, showClock } from './clock-gauges.ts';
import type { OnAnswer } from './completed-request.ts';
import { registerRouteMetrics } from './route-metrics.ts';
import { SignInCounts } from './sign-in-counts.ts';
import { showStoreSizes } from './store-sizes.ts';
import type { StreamCounts } from './stream-counts.ts';
import { WebhookCounts } from './webhook-counts.ts';

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
  new Counter({
    name: 'holdfast_credentials_total',
    help: 'Accepted credentials: remembered, or looked up in the store or by their signature.',
    labelNames: ['found'],
    registers,
    collect() {
      this.reset();
      for (const [found, requests] of Object.entries(credentials)) this.inc({ found }, requests);
    },
  });

  const background = new Counter({
    name: 'holdfast_background_failures_total',
    help: 'Failures of work that no request waits for, such as clearing away what was deleted.',
    labelNames: ['task'],
    registers,
  });
  for (const task of observedTasks) background.inc({ task }, 0);
  const signIns = new SignInCounts();
  showSignIns(registry, signIns);
  const mails = new MailCounts();
  showMails(registry, mails);
  const webhooks = new WebhookCounts();
  showWebhooks(registry, webhooks);

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
      watchHealth(registry, store);
      showMarks(registry, store);
      showStoreSizes(registry, store);
    },
    watchStreams: (counts) => showStreams(registry, counts),
    page: async () => ({ text: await registry.metrics(), mediaType: registry.contentType }),
  };
}

function showMarks(registry: Registry, store: Pick<Store, 'marks'>): void {
  const registers = [registry];
  new Gauge({
    name: 'holdfast_store_went_back',
    help: '1 after a service has seen that the store went back to an earlier moment, until `holdfast recovered` has run.',
    registers,
    collect() {
      this.set(store.marks().rolledBackAt > 0 ? 1 : 0);
    },
  });
  new Gauge({
    name: 'holdfast_version_floor',
    help: 'New versions are at least this; 0 if the store never went back.',
    registers,
    collect() {
      this.set(store.marks().versionFloor);
    },
  });
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
      new Gauge({
        name: 'holdfast_store_writes_waiting',
        help: 'Writes that wait for their answer.',
        registers,
        collect() {
          this.set(writesWaiting());
        },
      });
    },
    onCommit(writes, milliseconds) {
      commits.observe(writes);
      seconds.observe(milliseconds / 1000);
    },
    onFailure: (writes) => failures.inc(writes),
  };
}

function watchHealth(registry: Registry, store: Pick<Store, 'checkReady'>): void {
  new Gauge({
    name: 'holdfast_store_up',
    help: 'Whether the store serves: 1, or 0.',
    registers: [registry],
    async collect() {
      const { promise: late, resolve } = Promise.withResolvers<0>();
      const timer = setTimeout(resolve, storeMillisecondsMax, 0);
      const asked = (async () => store.checkReady())().then(
        () => 1,
        () => 0,
      );
      this.set(await Promise.race([asked, late]));
      clearTimeout(timer);
    },
  });
}

function showSignIns(registry: Registry, signIns: SignInCounts): void {
  new Counter({
    name: 'holdfast_sign_ins_total',
    help: 'Steps of sign-ins by outcome: on the login page, and `code`, `refresh`, `guest` and `service_account` at the token endpoint.',
    labelNames: ['step', 'outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { step, outcome, count } of signIns) this.inc({ step, outcome }, count);
    },
  });
}

function showMails(registry: Registry, mails: MailCounts): void {
  const registers = [registry];
  new Counter({
    name: 'holdfast_mails_total',
    help: 'Mails by outcome of a try: `sent`, `postponed` (tried again later) or `failed` (never sent).',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      const { sent, postponed, failed } = mails;
      for (const [outcome, count] of Object.entries({ sent, postponed, failed })) this.inc({ outcome }, count);
    },
  });
  new Gauge({
    name: 'holdfast_mails_waiting',
    help: 'Unsent mails of all nodes, when this node last looked.',
    registers,
    collect() {
      this.set(mails.waiting);
    },
  });
}

function showWebhooks(registry: Registry, webhooks: WebhookCounts): void {
  const registers = [registry];
  new Counter({
    name: 'holdfast_webhook_tries_total',
    help: 'Tries of webhook deliveries by outcome: `delivered`, `postponed` (tried again later) or `failed` (the last one).',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      const { delivered, postponed, failed } = webhooks;
      for (const [outcome, count] of Object.entries({ delivered, postponed, failed })) this.inc({ outcome }, count);
    },
  });
  new Counter({
    name: 'holdfast_webhooks_switched_off_total',
    help: 'Webhooks that the service switched off, since their receiver was gone or failed for five days.',
    registers,
    collect() {
      this.reset();
      this.inc(webhooks.switchedOff);
    },
  });
}

function showStreams(registry: Registry, counts: StreamCounts): void {
  const registers = [registry];
  new Gauge({
    name: 'holdfast_streams',
    help: 'Change streams and long polls that are open, by whose state they tell.',
    labelNames: ['kind'],
    registers,
    collect() {
      for (const [kind, streams] of Object.entries(counts.open)) this.set({ kind }, streams);
    },
  });
  new Counter({
    name: 'holdfast_streams_ended_total',
    help: 'Change streams and long polls that ended, by the reason.',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset();
      for (const [reason, streams] of Object.entries(counts.ended)) this.inc({ reason }, streams);
    },
  });
  new Counter({
    name: 'holdfast_stream_events_total',
    help: 'Events that were sent to change streams and long polls.',
    registers,
    collect() {
      this.reset();
      this.inc(counts.events);
    },
  });
  new Counter({
    name: 'holdfast_stream_bytes_total',
    help: 'Bytes that were sent to change streams and long polls, without headers.',
    registers,
    collect() {
      this.reset();
      this.inc(counts.bytes);
    },
  });
}

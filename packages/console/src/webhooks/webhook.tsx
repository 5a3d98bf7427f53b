/** A webhook, and its deliveries of the last days. */
import type { WebhookDeliveryStatus } from '@holdfast/contract';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { ArrowLeft, RotateCw, Send } from 'lucide-react';
import { useState } from 'react';
import { may, useAuthority } from '../api/authority.ts';
import { call } from '../api/http.ts';
import {
  type Delivery,
  deliveriesQuery,
  forgetWebhook,
  isFailing,
  type Webhook,
  type WebhookKey,
  webhookName,
  webhooksQuery,
} from '../api/webhooks.ts';
import { NotAllowed } from '../page/not-allowed.tsx';
import { isMissing, NotFound } from '../page/not-found.tsx';
import { useProject } from '../page/route-params.ts';
import { formatDate, formatNumber, formatTime, textsOf, useTexts } from '../texts/index.ts';
import { useAction } from '../ui/action.ts';
import { Button, EmptyState, EnvironmentName, Notice } from '../ui/controls.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { Fault } from '../ui/fault.tsx';
import { Choice, Filters, More } from '../ui/filters.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Plain } from '../ui/plain.tsx';
import { plain } from '../ui/plain-text.ts';
import { Ago, Table } from '../ui/table.tsx';
import { toast } from '../ui/toasts.tsx';
import { eventName } from './event-name.ts';
import { DeliveryDialog } from './webhook-delivery.tsx';
import { Failing } from './webhook-failing.tsx';
import { WebhookMenu } from './webhook-menu.tsx';
import { DeliveryResult, Host, NextTry, WebhookState } from './webhook-state.tsx';
import './webhooks.css';

const [useWebhookTexts] = textsOf('webhooks');

export function WebhookPage() {
  const w = useWebhookTexts();
  const project = useProject();
  const { webhookId } = useParams({ from: '/shell/p/$slug/webhooks/$webhookId' });
  const own = useAuthority();
  const isAllowed = own === undefined || may(own, 'manage');
  const webhooks = useQuery({ ...webhooksQuery(project), enabled: isAllowed });
  const webhook = webhooks.data?.find(({ id }) => id === webhookId);
  if (own !== undefined && !isAllowed) return <NotAllowed title={w.title} own={own} power="manage" />;
  if (isMissing(webhooks.error) || (webhooks.data !== undefined && webhook === undefined)) return <NotFound />;
  const webhookKey = { ...project, webhookId };
  return (
    <div className="page">
      {webhook === undefined && <PageHeader title={w.title} back={<Back />} />}
      <Loaded query={webhooks} rows={8}>
        {() =>
          webhook && (
            <>
              <Head webhookKey={webhookKey} webhook={webhook} />
              <WebhookFacts webhook={webhook} />
              <Deliveries webhookKey={webhookKey} />
            </>
          )
        }
      </Loaded>
    </div>
  );
}

function Back() {
  const w = useWebhookTexts();
  const { slug } = useProject();
  return (
    <Link to="/p/$slug/webhooks" params={{ slug }} className="back-link" title={w.back}>
      <ArrowLeft aria-hidden="true" />
      <span>{w.back}</span>
    </Link>
  );
}

function Head({ webhookKey, webhook }: { webhookKey: WebhookKey; webhook: Webhook }) {
  const w = useWebhookTexts();
  const navigate = useNavigate();
  const { enabled, disabledReason } = webhook;
  return (
    <>
      <PageHeader title={webhookName(webhook)} back={<Back />} lead={webhook.description !== '' && <Host of={webhook} />}>
        <WebhookMenu
          webhookKey={webhookKey}
          webhook={webhook}
          onDeleted={() => navigate({ to: '/p/$slug/webhooks', params: { slug: webhookKey.slug } })}
        />
      </PageHeader>
      {!enabled && (
        <Notice kind="warn" title={disabledReason === null ? w.offBy : w.reasons[disabledReason]}>
          {w.offText}
        </Notice>
      )}
      {isFailing(webhook) && <Failing webhookKey={webhookKey} webhook={webhook} />}
    </>
  );
}

function WebhookFacts({ webhook }: { webhook: Webhook }) {
  const t = useTexts();
  const w = useWebhookTexts();
  const { events, environments, enabled, createdAt, createdBy } = webhook;
  const who = createdBy.kind === 'operator' ? t.audit.operator : (createdBy.name ?? w.somebody);
  return (
    <section className="card webhook-facts">
      <Facts>
        {enabled && !isFailing(webhook) && (
          <Fact name={w.state}>
            <WebhookState webhook={webhook} />
          </Fact>
        )}
        <Fact name={w.events}>{events.map((type) => eventName(w, type)).join(', ')}</Fact>
        {environments !== null && (
          <Fact name={w.environments}>
            {environments.map((env) => (
              <EnvironmentName key={env} env={env} />
            ))}
          </Fact>
        )}
        <Fact name={w.createdBy}>{w.created(plain(who), formatDate(createdAt))}</Fact>
      </Facts>
    </section>
  );
}

const statuses: readonly WebhookDeliveryStatus[] = ['waiting', 'delivered', 'failed'];

function Deliveries({ webhookKey }: { webhookKey: WebhookKey }) {
  const t = useTexts();
  const w = useWebhookTexts();
  const [status, setStatus] = useState<WebhookDeliveryStatus>();
  const [opened, setOpened] = useState<Delivery>();
  const found = useInfiniteQuery(deliveriesQuery(webhookKey, status));
  const retry = useAction(async (deliveryId: string) => {
    await call('retryWebhookDelivery', { params: { ...webhookKey, deliveryId } });
    await forgetWebhook(webhookKey);
    toast(w.retried);
  });
  const test = useAction(async () => {
    await call('testWebhook', { params: webhookKey });
    await forgetWebhook(webhookKey);
    toast(w.tested);
  });
  return (
    <section className="below webhook-deliveries">
      <Filters>
        <h2>{w.deliveries}</h2>
        <Button icon={<Send />} isBusy={test.isBusy} onClick={() => test.run()}>
          {w.test}
        </Button>
        <Choice
          label={w.result}
          isLabelShown
          value={status ?? ''}
          onChange={(value) => setStatus(statuses.find((one) => one === value))}
          options={[{ value: '', label: w.allStatuses }, ...statuses.map((one) => ({ value: one, label: w.filters[one] }))]}
        />
      </Filters>
      <Fault error={test.fault ?? retry.fault} />
      <Loaded query={found} rows={5}>
        {({ pages }) => {
          const all = pages.flatMap(({ items }) => items);
          if (all.length > 0) return <DeliveryTable deliveries={all} onOpen={setOpened} onRetry={retry.run} />;
          if (status !== undefined) return <p className="hint">{w.noMatch}</p>;
          return (
            <EmptyState icon={<Send />} title={w.noDeliveries}>
              {w.noDeliveriesText}
            </EmptyState>
          );
        }}
      </Loaded>
      {opened && (
        <DeliveryDialog
          webhookKey={webhookKey}
          delivery={opened}
          onRetry={retry.run}
          fault={retry.fault}
          onClose={() => setOpened(undefined)}
        />
      )}
      {found.hasNextPage && (
        <More>
          <Button isBusy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
            {t.common.more}
          </Button>
        </More>
      )}
    </section>
  );
}

interface DeliveryTableProps {
  readonly deliveries: readonly Delivery[];
  readonly onOpen: (delivery: Delivery) => void;
  readonly onRetry: (deliveryId: string) => void;
}

function DeliveryTable({ deliveries, onOpen, onRetry }: DeliveryTableProps) {
  const t = useTexts();
  const w = useWebhookTexts();
  return (
    <Table
      label={w.deliveries}
      rows={deliveries}
      keyOf={({ id }) => id}
      columns={[
        {
          name: w.event,
          cell: (delivery) => (
            <button type="button" className="link" onClick={() => onOpen(delivery)}>
              <Plain>{eventName(w, delivery.type)}</Plain>
            </button>
          ),
        },
        { name: w.when, isPlain: true, cell: ({ at }) => <Ago time={at} /> },
        { name: w.result, kind: 'state', isPlain: true, cell: (delivery) => <DeliveryResult result={delivery} /> },
        {
          name: w.duration,
          kind: 'number',
          isLeast: true,
          cell: ({ milliseconds }) => (milliseconds === null ? null : w.milliseconds(formatNumber(milliseconds))),
        },
        { name: w.next, cell: ({ nextAt }) => nextAt && <NextTry at={nextAt} /> },
        {
          name: t.palette.actions,
          kind: 'actions',
          cell: ({ id, type, at, status }) =>
            status !== 'delivered' && (
              <Button
                size="small"
                icon={<RotateCw />}
                aria-label={plain(w.retryOf(eventName(w, type), formatTime(at)))}
                onClick={() => onRetry(id)}
              >
                {w.retry}
              </Button>
            ),
        },
      ]}
    />
  );
}

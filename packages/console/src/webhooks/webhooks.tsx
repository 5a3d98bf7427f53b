/** The webhooks of a project. */
import { webhooksMax } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import { may, useAuthority } from '../api/authority.ts';
import type { ProjectKey } from '../api/queries.ts';
import { type Webhook, webhooksQuery } from '../api/webhooks.ts';
import { NotAllowed } from '../page/not-allowed.tsx';
import { isMissing, NotFound } from '../page/not-found.tsx';
import { useProject } from '../page/route-params.ts';
import { textsOf, useTexts } from '../texts/index.ts';
import { Button, EmptyState, EnvironmentName } from '../ui/controls.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Plain } from '../ui/plain.tsx';
import { Ago, Below, Table } from '../ui/table.tsx';
import { EditWebhook } from './edit-webhook.tsx';
import { eventName } from './event-name.ts';
import { WebhookMenu } from './webhook-menu.tsx';
import { Host, WebhookState } from './webhook-state.tsx';
import './webhooks.css';

const [useWebhookTexts] = textsOf('webhooks');

export function WebhooksPage() {
  const w = useWebhookTexts();
  const project = useProject();
  const own = useAuthority();
  const isAllowed = own === undefined || may(own, 'manage');
  const webhooks = useQuery({ ...webhooksQuery(project), enabled: isAllowed });
  const [isMaking, setMaking] = useState(false);
  if (own !== undefined && !isAllowed) return <NotAllowed title={w.title} own={own} power="manage" />;
  if (isMissing(webhooks.error)) return <NotFound />;
  const isFull = (webhooks.data?.length ?? 0) >= webhooksMax;
  const newButton = (
    <Button kind="primary" icon={<Plus />} disabled={isFull} onClick={() => setMaking(true)}>
      {w.new}
    </Button>
  );
  return (
    <div className="page">
      <PageHeader title={w.title} lead={w.lead}>
        {webhooks.data?.length !== 0 && newButton}
      </PageHeader>
      <Loaded query={webhooks} rows={4}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon={<WebhookIcon />} title={w.empty} action={newButton}>
              {w.emptyText}
            </EmptyState>
          ) : (
            <>
              <Webhooks project={project} webhooks={all} />
              {isFull && <p className="hint">{w.limit(webhooksMax)}</p>}
            </>
          )
        }
      </Loaded>
      {isMaking && <EditWebhook project={project} onClose={() => setMaking(false)} />}
    </div>
  );
}

function Webhooks({ project, webhooks }: { project: ProjectKey; webhooks: readonly Webhook[] }) {
  const t = useTexts();
  const w = useWebhookTexts();
  return (
    <Table
      label={w.title}
      rows={webhooks}
      keyOf={({ id }) => id}
      columns={[
        {
          name: w.receiver,
          cell: (webhook) => (
            <>
              <Link to="/p/$slug/webhooks/$webhookId" params={{ slug: project.slug, webhookId: webhook.id }}>
                {webhook.description === '' ? <Host of={webhook} /> : <Plain>{webhook.description}</Plain>}
              </Link>
              {webhook.description !== '' && (
                <Below>
                  <Host of={webhook} />
                </Below>
              )}
            </>
          ),
        },
        { name: w.events, cell: (webhook) => <Subscribed webhook={webhook} /> },
        { name: w.state, kind: 'state', isPlain: true, cell: (webhook) => <WebhookState webhook={webhook} /> },
        { name: w.lastDelivery, isLeast: true, cell: ({ lastDelivery }) => lastDelivery && <Ago time={lastDelivery.at} /> },
        {
          name: t.palette.actions,
          kind: 'actions',
          cell: (webhook) => <WebhookMenu webhookKey={{ ...project, webhookId: webhook.id }} webhook={webhook} />,
        },
      ]}
    />
  );
}

/** How many events a list names. */
const namedMax = 1;

/** What a webhook hears of, in short. */
function Subscribed({ webhook: { events, environments } }: { webhook: Webhook }) {
  const w = useWebhookTexts();
  const others = events.slice(namedMax);
  return (
    <div className="row-badges">
      {events.slice(0, namedMax).map((type) => (
        <span className="badge" key={type}>
          {eventName(w, type)}
        </span>
      ))}
      {others.length > 0 && (
        <span className="badge" title={others.map((type) => eventName(w, type)).join(', ')}>
          {w.moreEvents(others.length)}
        </span>
      )}
      {environments?.map((env) => (
        <span className="badge" key={env}>
          <EnvironmentName env={env} />
        </span>
      ))}
    </div>
  );
}

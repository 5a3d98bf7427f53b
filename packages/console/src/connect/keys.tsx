/** The API keys of a project. */
import { type ApiKeyBody, environments as allEnvironments } from '@holdfast/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { may, useAuthority } from '../api/authority.ts';
import { call } from '../api/http.ts';
import { keysQuery, type ProjectKey } from '../api/queries.ts';
import { ChangeableWith, NotAllowed } from '../page/not-allowed.tsx';
import { isMissing, NotFound } from '../page/not-found.tsx';
import { useProject } from '../page/route-params.ts';
import { useTexts } from '../texts/index.ts';
import { Button, CopyButton, EmptyState, EnvironmentName } from '../ui/controls.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Plain } from '../ui/plain.tsx';
import { plain } from '../ui/plain-text.ts';
import { RowMenu } from '../ui/row-menu.tsx';
import { Ago, Below, On, Table } from '../ui/table.tsx';
import { toast } from '../ui/toasts.tsx';
import { NewKey } from './new-key.tsx';

export function KeysPage() {
  const t = useTexts();
  const project = useProject();
  const { slug } = project;
  const { create } = useSearch({ from: '/shell/p/$slug/keys' });
  const navigate = useNavigate();
  const own = useAuthority();
  const isAllowed = own === undefined || may(own, 'read_access');
  const keys = useQuery({ ...keysQuery(project), enabled: isAllowed });
  const [revoking, setRevoking] = useState<ApiKeyBody>();
  const show = (isOpen: boolean) =>
    void navigate({ to: '/p/$slug/keys', params: { slug }, search: isOpen ? { create: true } : {}, replace: !isOpen });
  const newButton = (
    <Button kind="primary" icon={<Plus />} onClick={() => show(true)}>
      {t.keys.new}
    </Button>
  );
  if (own !== undefined && !isAllowed) return <NotAllowed title={t.keys.title} own={own} power="read_access" />;
  if (isMissing(keys.error)) return <NotFound />;
  return (
    <div className="page">
      <PageHeader title={t.keys.title} lead={t.keys.lead}>
        {keys.data?.length !== 0 && may(own, 'manage_access') && newButton}
      </PageHeader>
      <ChangeableWith power="manage_access">
        <Loaded query={keys} rows={5}>
          {(all) =>
            all.length === 0 ? (
              <EmptyState icon={<KeyRound />} title={t.keys.empty} action={newButton}>
                {t.keys.emptyText}
              </EmptyState>
            ) : (
              <Keys keys={all} onRevoke={setRevoking} />
            )
          }
        </Loaded>
      </ChangeableWith>
      {create && <NewKey project={project} onClose={() => show(false)} />}
      <RevokeKey project={project} record={revoking} onClose={() => setRevoking(undefined)} />
    </div>
  );
}

function Keys({ keys, onRevoke }: { keys: readonly ApiKeyBody[]; onRevoke: (key: ApiKeyBody) => void }) {
  const t = useTexts();
  return (
    <Table
      label={t.keys.title}
      rows={keys}
      keyOf={({ id }) => id}
      columns={[
        {
          name: t.keys.name,
          cell: ({ name, start, apiKey }) => (
            <>
              <Plain>{name}</Plain>
              <Below>
                <code>{start}…</code> {apiKey !== null && <CopyButton text={apiKey} size="small" />}
              </Below>
            </>
          ),
        },
        { name: t.keys.access, cell: (record) => <KeyBadges record={record} /> },
        { name: t.keys.lastUsed, cell: ({ lastUsedAt }) => (lastUsedAt ? <Ago time={lastUsedAt} /> : t.common.never) },
        { name: t.keys.created, isLeast: true, cell: ({ createdAt }) => <On time={createdAt} /> },
        { name: t.keys.expires, cell: ({ expiresAt }) => (expiresAt ? <On time={expiresAt} /> : t.common.never) },
        {
          name: t.palette.actions,
          kind: 'actions',
          cell: (record) => (
            <RowMenu
              label={plain(`${t.palette.actions}: ${record.name}`)}
              actions={[{ label: t.keys.revoke, run: () => onRevoke(record), isDanger: true }]}
            />
          ),
        },
      ]}
    />
  );
}

/** What a key may do, and in which environments. */
function KeyBadges({ record: { kind, access, environments, expiresAt } }: { record: ApiKeyBody }) {
  const t = useTexts();
  const isExpired = expiresAt !== null && Date.parse(expiresAt) < Date.now();
  return (
    <div className="row-badges">
      {kind === 'publishable' ? (
        <span className="badge accent">{t.keys.publishable}</span>
      ) : (
        <>
          <span className="badge">{t.keys.secret}</span>
          <span className="badge">{access === 'write' ? t.keys.write : t.keys.read}</span>
        </>
      )}
      {environments.length === allEnvironments.length ? (
        <span className="badge">{t.keys.allEnvironments}</span>
      ) : (
        environments.map((env) => (
          <span className="badge" key={env}>
            <EnvironmentName env={env} />
          </span>
        ))
      )}
      {isExpired && <span className="badge warn">{t.keys.expired}</span>}
    </div>
  );
}

function RevokeKey(props: { project: ProjectKey; record: ApiKeyBody | undefined; onClose: () => void }) {
  const t = useTexts();
  const queries = useQueryClient();
  const { project, record, onClose } = props;
  return (
    <Confirm
      isOpen={record !== undefined}
      onClose={onClose}
      title={t.keys.revokeTitle(record?.name ?? '')}
      text={t.keys.revokeText}
      action={t.keys.revoke}
      onConfirm={async () => {
        await call('revokeApiKey', { params: { ...project, keyId: record?.id ?? '' } });
        await queries.invalidateQueries(keysQuery(project));
        toast(t.keys.revoked);
      }}
    />
  );
}

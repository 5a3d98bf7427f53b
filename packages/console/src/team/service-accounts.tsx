/** The service accounts: sign-ins for builds and servers. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Bot, Plus } from 'lucide-react';
import { useState } from 'react';
import { may, useAuthority } from '../api/authority.ts';
import { call } from '../api/http.ts';
import { useAccountId } from '../api/signed-in.ts';
import { type ServiceAccount, serviceAccountsQuery } from '../api/team.ts';
import { NotAllowed } from '../page/not-allowed.tsx';
import { textsOf, useTexts } from '../texts/index.ts';
import { Button, EmptyState } from '../ui/controls.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Plain } from '../ui/plain.tsx';
import { plain } from '../ui/plain-text.ts';
import { RowMenu } from '../ui/row-menu.tsx';
import { Ago, Below, On, Table } from '../ui/table.tsx';
import { toast } from '../ui/toasts.tsx';
import { AuthorityBadges } from './authority.tsx';
import { NewServiceAccount } from './new-service-account.tsx';
import { Secrets } from './service-account-secrets.tsx';
import './service-accounts.css';

const [useServiceAccountTexts] = textsOf('service-accounts');

export function ServiceAccountsPage() {
  const st = useServiceAccountTexts();
  const accountId = useAccountId();
  const own = useAuthority();
  const { create } = useSearch({ from: '/shell/service-accounts' });
  const navigate = useNavigate();
  const isManager = may(own, 'manage_access');
  const accounts = useQuery({ ...serviceAccountsQuery(accountId), enabled: isManager });
  const [shownId, setShownId] = useState<string>();
  const [deleting, setDeleting] = useState<ServiceAccount>();
  const show = (isOpen: boolean) =>
    void navigate({ to: '/service-accounts', search: isOpen ? { create: true } : {}, replace: !isOpen });
  if (own !== undefined && !isManager) return <NotAllowed title={st.title} own={own} power="manage_access" />;
  const newButton = (
    <Button kind="primary" icon={<Plus />} onClick={() => show(true)}>
      {st.new}
    </Button>
  );
  const shown = accounts.data?.find(({ id }) => id === shownId);
  return (
    <div className="page">
      <PageHeader title={st.title} lead={st.lead}>
        {accounts.data?.length !== 0 && newButton}
      </PageHeader>
      <Loaded query={accounts} rows={4}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon={<Bot />} title={st.empty} action={newButton}>
              {st.emptyText}
            </EmptyState>
          ) : (
            <Accounts accounts={all} onSecrets={({ id }) => setShownId(id)} onDelete={setDeleting} />
          )
        }
      </Loaded>
      {create && own !== undefined && <NewServiceAccount accountId={accountId} own={own} onClose={() => show(false)} />}
      {shown && <Secrets accountId={accountId} account={shown} onClose={() => setShownId(undefined)} />}
      <DeleteServiceAccount accountId={accountId} account={deleting} onClose={() => setDeleting(undefined)} />
    </div>
  );
}

interface AccountsProps {
  readonly accounts: readonly ServiceAccount[];
  readonly onSecrets: (account: ServiceAccount) => void;
  readonly onDelete: (account: ServiceAccount) => void;
}

function Accounts({ accounts, onSecrets, onDelete }: AccountsProps) {
  const t = useTexts();
  const st = useServiceAccountTexts();
  const isExpired = ({ expiresAt }: ServiceAccount) => expiresAt !== null && Date.parse(expiresAt) < Date.now();
  return (
    <Table
      label={st.title}
      rows={accounts}
      keyOf={({ id }) => id}
      columns={[
        {
          name: st.name,
          cell: ({ id, name }) => (
            <>
              <Plain>{name}</Plain>
              <Below>
                <code>{id}</code>
              </Below>
            </>
          ),
        },
        {
          name: t.team.role,
          cell: (account) => (
            <AuthorityBadges {...account}>
              {isExpired(account) && <span className="badge warn">{st.expired}</span>}
            </AuthorityBadges>
          ),
        },
        { name: st.lastUsed, cell: ({ lastUsedAt }) => (lastUsedAt ? <Ago time={lastUsedAt} /> : t.common.never) },
        { name: st.created, isLeast: true, cell: ({ createdAt }) => <On time={createdAt} /> },
        { name: st.expires, cell: ({ expiresAt }) => (expiresAt ? <On time={expiresAt} /> : t.common.never) },
        {
          name: t.palette.actions,
          kind: 'actions',
          cell: (account) => (
            <RowMenu
              label={plain(`${t.palette.actions}: ${account.name}`)}
              actions={[
                { label: st.secrets, run: () => onSecrets(account) },
                { label: st.delete, run: () => onDelete(account), isDanger: true },
              ]}
            />
          ),
        },
      ]}
    />
  );
}

interface DeleteProps {
  readonly accountId: string;
  readonly account: ServiceAccount | undefined;
  readonly onClose: () => void;
}

function DeleteServiceAccount({ accountId, account, onClose }: DeleteProps) {
  const st = useServiceAccountTexts();
  const queries = useQueryClient();
  return (
    <Confirm
      isOpen={account !== undefined}
      onClose={onClose}
      title={st.deleteTitle(account?.name ?? '')}
      text={st.deleteText}
      action={st.delete}
      onConfirm={async () => {
        await call('deleteServiceAccount', { params: { accountId, serviceAccountId: account?.id ?? '' } });
        await queries.invalidateQueries(serviceAccountsQuery(accountId));
        toast(st.deleted);
      }}
    />
  );
}

/** The secrets of a service account: at most two valid ones, so that one can be replaced without interruption. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/http.ts';
import { type ServiceAccount, serviceAccountsQuery } from '../api/team.ts';
import { textsOf, useTexts } from '../texts/index.ts';
import { useAction } from '../ui/action.ts';
import { Button } from '../ui/controls.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { Fault } from '../ui/fault.tsx';
import { RowMenu } from '../ui/row-menu.tsx';
import { Ago, On, Table } from '../ui/table.tsx';
import { toast } from '../ui/toasts.tsx';
import { SecretShownOnce } from './new-service-account.tsx';
import './service-accounts.css';

const [useServiceAccountTexts] = textsOf('service-accounts');

const secretsMax = 2;

interface SecretsProps {
  readonly accountId: string;
  readonly account: ServiceAccount;
  readonly onClose: () => void;
}

export function Secrets({ accountId, account, onClose }: SecretsProps) {
  const t = useTexts();
  const st = useServiceAccountTexts();
  const queries = useQueryClient();
  const [created, setCreated] = useState<string>();
  const [deletingId, setDeletingId] = useState<string>();
  const params = { accountId, serviceAccountId: account.id };
  const isFull = account.secrets.length >= secretsMax;
  const add = useAction(async () => {
    const { clientSecret } = await call('createServiceAccountSecret', { params });
    setCreated(clientSecret);
    await queries.invalidateQueries(serviceAccountsQuery(accountId));
  });
  if (created !== undefined) {
    return <SecretShownOnce id={account.id} secret={created} onClose={() => setCreated(undefined)} />;
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={st.secretsTitle(account.name)}
      text={st.secretsText}
      actions={
        <>
          {isFull && <p className="hint">{st.secretsFull}</p>}
          <Button onClick={onClose}>{t.common.close}</Button>
          <Button kind="primary" isBusy={add.isBusy} disabled={isFull} onClick={() => add.run()}>
            {st.addSecret}
          </Button>
        </>
      }
    >
      <Table
        label={st.secrets}
        rows={account.secrets}
        keyOf={({ secretId }) => secretId}
        columns={[
          {
            name: st.secret,
            cell: ({ secretId }) => (
              <span className="secret-id">
                {st.secretId} <code>{secretId}</code>
              </span>
            ),
          },
          { name: st.created, cell: ({ createdAt }) => <On time={createdAt} /> },
          { name: st.lastUsed, cell: ({ lastUsedAt }) => (lastUsedAt ? <Ago time={lastUsedAt} /> : t.common.never) },
          {
            name: t.palette.actions,
            kind: 'actions',
            cell: ({ secretId }) => (
              <RowMenu
                label={`${t.palette.actions}: ${secretId}`}
                actions={[{ label: st.deleteSecret, run: () => setDeletingId(secretId), isDanger: true }]}
              />
            ),
          },
        ]}
      />
      <Fault error={add.fault} />
      <Confirm
        isOpen={deletingId !== undefined}
        onClose={() => setDeletingId(undefined)}
        title={st.deleteSecret}
        text={st.deleteSecretText}
        action={st.deleteSecret}
        onConfirm={async () => {
          await call('deleteServiceAccountSecret', { params: { ...params, secretId: deletingId ?? '' } });
          await queries.invalidateQueries(serviceAccountsQuery(accountId));
          toast(st.secretDeleted);
        }}
      />
    </Dialog>
  );
}

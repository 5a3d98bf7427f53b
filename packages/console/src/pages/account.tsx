/** The account: its name, and its end. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { addressOf, send } from '../api/http.ts';
import { accountQuery } from '../api/queries.ts';
import { signOut } from '../api/session.ts';
import { useAccountId } from '../shell/session.tsx';
import { drafts } from '../state/drafts.ts';
import { formatDate, useTexts } from '../texts/index.ts';
import { Button, CopyButton, Field, PageHeader, Skeleton } from '../ui/controls.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Fault } from '../ui/fault.tsx';
import { useTitle } from '../ui/title.ts';
import { toast } from '../ui/toasts.tsx';

export function AccountPage() {
  const t = useTexts();
  useTitle(t.account.title);
  const accountId = useAccountId();
  const account = useQuery(accountQuery(accountId));
  const [isDeleting, setDeleting] = useState(false);
  const address = addressOf('/v1/{accountId}', { accountId });
  const { data } = account;
  return (
    <div className="page narrow">
      <PageHeader title={t.account.title} />
      <Fault error={account.error} onRetry={() => void account.refetch()} />
      {account.isPending && <Skeleton rows={5} />}
      {data && (
        <>
          <section className="card">
            <h2>{t.account.general}</h2>
            <Rename
              label={t.account.name}
              name={data.name}
              address={address}
              done={t.account.renamed}
              queryKey={['account', accountId]}
            />
            <dl className="facts">
              <div>
                <dt>{t.account.id}</dt>
                <dd>
                  <code>{data.accountId}</code>
                  <CopyButton text={data.accountId} size="small" />
                </dd>
              </div>
              <div>
                <dt>{t.account.since}</dt>
                <dd>{formatDate(data.createdAt)}</dd>
              </div>
            </dl>
          </section>
          <section className="card danger-zone">
            <div>
              <h2>{t.account.danger}</h2>
              <p>{t.account.dangerText}</p>
            </div>
            <Button kind="danger" onClick={() => setDeleting(true)}>
              {t.account.deleteButton}
            </Button>
          </section>
          <Confirm
            isOpen={isDeleting}
            onClose={() => setDeleting(false)}
            title={t.account.danger}
            text={t.account.dangerText}
            action={t.account.deleteButton}
            typed={data.name}
            onConfirm={async () => {
              await send('DELETE', address);
              await drafts.clear();
              await signOut();
            }}
          />
        </>
      )}
    </div>
  );
}

interface RenameProps {
  readonly label: string;
  readonly name: string;
  readonly address: string;
  readonly done: string;
  readonly queryKey: readonly string[];
}

/** The name of something, which can be changed where it stands. */
export function Rename({ label, name, address, done, queryKey }: RenameProps) {
  const t = useTexts();
  const queries = useQueryClient();
  const [typed, setTyped] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>();
  const next = (typed ?? name).trim();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || next === '' || next === name) return;
    setBusy(true);
    setFault(undefined);
    try {
      await send('PATCH', address, { body: { name: next } });
      await queries.invalidateQueries({ queryKey });
      setTyped(undefined);
      toast(done);
    } catch (error) {
      setFault(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className="rename" onSubmit={(event) => void submit(event)}>
      <Field label={label}>
        {(attributes) => (
          <input
            {...attributes}
            value={typed ?? name}
            onChange={(event) => setTyped(event.target.value)}
            maxLength={200}
            autoComplete="off"
          />
        )}
      </Field>
      <Button type="submit" isBusy={isBusy} disabled={next === '' || next === name}>
        {t.common.save}
      </Button>
      <Fault error={fault} />
    </form>
  );
}

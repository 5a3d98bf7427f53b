/** The account: its name and its deletion. */
import { type AccountBody, nameCharactersMax } from '@holdfast/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { drafts } from '../api/drafts.ts';
import { call } from '../api/http.ts';
import { accountQuery } from '../api/queries.ts';
import { signOut } from '../api/session.ts';
import { useAccountId } from '../api/signed-in.ts';
import { ChangeableWith } from '../page/not-allowed.tsx';
import { RequiredSecondFactor } from '../team/required-second-factor.tsx';
import { formatDate, useTexts } from '../texts/index.ts';
import { useAction } from '../ui/action.ts';
import { DangerZone } from '../ui/danger-zone.tsx';
import { Fact, Facts, IdFact } from '../ui/facts.tsx';
import { Fault } from '../ui/fault.tsx';
import { Form, TextField } from '../ui/form.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { SaveBar } from '../ui/save-bar.tsx';
import { Setting } from '../ui/setting.tsx';
import { toast } from '../ui/toasts.tsx';
import { undo } from '../ui/undo.ts';

export function AccountPage() {
  const t = useTexts();
  const accountId = useAccountId();
  const account = useQuery(accountQuery(accountId));
  return (
    <div className="page">
      <PageHeader title={t.account.title} />
      <ChangeableWith power="own">
        <Loaded query={account} rows={5}>
          {(record) => (
            <>
              <General account={record} />
              <RequiredSecondFactor {...record} />
              <DangerZone
                title={t.account.danger}
                text={t.account.dangerText}
                action={t.account.deleteButton}
                typed={record.name}
                onConfirm={async () => {
                  await call('deleteAccount', { params: { accountId } });
                  await drafts.clear();
                  await signOut();
                }}
              />
            </>
          )}
        </Loaded>
      </ChangeableWith>
    </div>
  );
}

function General({ account: { accountId, name, createdAt } }: { account: AccountBody }) {
  const t = useTexts();
  const queries = useQueryClient();
  const [typed, setTyped] = useState<string>();
  const next = (typed ?? name).trim();
  const rename = async (to: string) => {
    await call('updateAccount', { params: { accountId }, body: { name: to } });
    await queries.invalidateQueries(accountQuery(accountId));
    return t.settings.savedOf(t.account.name);
  };
  const save = useAction(async () => {
    if (next === '' || next === name) return;
    const said = await rename(next);
    setTyped(undefined);
    toast(said, { action: undo(() => rename(name)) });
  });
  return (
    <Form action={save}>
      <Setting title={t.account.general} text={t.account.generalText}>
        <TextField
          label={t.account.name}
          value={typed ?? name}
          fault={next === '' ? t.settings.faults.name : undefined}
          onChange={setTyped}
          maxLength={nameCharactersMax}
          required
        />
        <Facts>
          <IdFact name={t.account.id} id={accountId} />
          <Fact name={t.account.since}>{formatDate(createdAt)}</Fact>
        </Facts>
      </Setting>
      <Fault error={save.fault} />
      {next !== name && (
        <SaveBar
          text={t.settings.unsaved(t.account.name)}
          action={save}
          isReady={next !== ''}
          onDiscard={() => setTyped(undefined)}
        />
      )}
    </Form>
  );
}

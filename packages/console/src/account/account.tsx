/** The account: its name and its deletion. */
import { nameCharactersMax } from '@holdfast/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/http.ts';
import { accountQuery } from '../api/queries.ts';
import { signOut } from '../api/session.ts';
import { TextSetting } from '../settings/text-setting.tsx';
import { ChangeableWith } from '../shell/not-allowed.tsx';
import { useAccountId } from '../shell/session.tsx';
import { drafts } from '../state/drafts.ts';
import { RequiredSecondFactor } from '../team/required-second-factor.tsx';
import { formatDate, useTexts } from '../texts/index.ts';
import { PageHeader } from '../ui/controls.tsx';
import { DangerZone } from '../ui/danger-zone.tsx';
import { Fact, Facts, IdFact } from '../ui/facts.tsx';
import { Loaded } from '../ui/loaded.tsx';

export function AccountPage() {
  const t = useTexts();
  const accountId = useAccountId();
  const account = useQuery(accountQuery(accountId));
  const queries = useQueryClient();
  return (
    <div className="page narrow">
      <PageHeader title={t.account.title} />
      <ChangeableWith power="own">
        <Loaded query={account} rows={5}>
          {(record) => (
            <>
              <section className="card">
                <h2>{t.account.general}</h2>
                <TextSetting
                  label={t.account.name}
                  text={record.name}
                  charactersMax={nameCharactersMax}
                  isRequired
                  done={t.account.renamed}
                  onChange={async (next) => {
                    await call('updateAccount', { params: { accountId }, body: { name: next } });
                    await queries.invalidateQueries(accountQuery(accountId));
                  }}
                />
                <Facts>
                  <IdFact name={t.account.id} id={accountId} />
                  <Fact name={t.account.since}>{formatDate(record.createdAt)}</Fact>
                </Facts>
              </section>
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

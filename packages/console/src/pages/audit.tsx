/** The audit trail: who changed what in the account, newest first. */
import { auditActions } from '@holdfast/contract';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Download, ScrollText } from 'lucide-react';
import { type AuditFilter, type AuditRecord, auditExport, auditQuery } from '../api/audit.ts';
import { may, useAuthority } from '../api/authority.ts';
import { membersQuery } from '../api/team.ts';
import { useAccountId } from '../shell/session.tsx';
import { formatAgo, formatTime, useTexts } from '../texts/index.ts';
import { useAction } from '../ui/action.ts';
import { Button, EmptyState, Field, PageHeader, Skeleton } from '../ui/controls.tsx';
import { Fault } from '../ui/fault.tsx';
import { Plain } from '../ui/plain.tsx';
import { plain } from '../ui/plain-text.ts';
import { saveFile } from '../ui/save-file.ts';
import { toast } from '../ui/toasts.tsx';
import { actionText, actorText, fieldName, valueText } from './audit-words.ts';
import { NotAllowed } from './not-allowed.tsx';

export function AuditPage() {
  const t = useTexts();
  const accountId = useAccountId();
  const own = useAuthority();
  const filter = useSearch({ from: '/shell/audit' });
  const isAllowed = own === undefined || may(own, 'manage');
  const records = useInfiniteQuery({ ...auditQuery(accountId, filter), enabled: isAllowed });
  const save = useAction(async () => {
    saveFile('audit.ndjson', 'application/x-ndjson', await auditExport(accountId, filter));
    toast(t.audit.exported);
  });
  if (own !== undefined && !isAllowed) return <NotAllowed title={t.audit.title} role={own.role} />;
  const all = records.data?.pages.flatMap(({ items }) => items);
  const isFiltered = filter.action !== undefined || filter.actor !== undefined;
  return (
    <div className="page">
      <PageHeader title={t.audit.title} lead={t.audit.lead}>
        <Button icon={<Download />} isBusy={save.isBusy} onClick={save.run}>
          {t.audit.export}
        </Button>
      </PageHeader>
      <Fault error={save.fault ?? records.error} onRetry={() => void records.refetch()} />
      <Filters filter={filter} />
      {records.isPending && isAllowed && <Skeleton rows={8} />}
      {all?.length === 0 && (
        <EmptyState icon={<ScrollText />} title={isFiltered ? t.audit.noMatch : t.audit.empty}>
          {isFiltered ? null : t.audit.emptyText}
        </EmptyState>
      )}
      {all !== undefined && all.length > 0 && (
        <ol className="audit">
          {all.map((record) => (
            <RecordRow key={record.id} record={record} />
          ))}
        </ol>
      )}
      {records.hasNextPage && (
        <div className="more">
          <Button isBusy={records.isFetchingNextPage} onClick={() => void records.fetchNextPage()}>
            {t.common.more}
          </Button>
        </div>
      )}
    </div>
  );
}

function Filters({ filter }: { filter: AuditFilter }) {
  const t = useTexts();
  const accountId = useAccountId();
  const navigate = useNavigate();
  const { data: members = [] } = useQuery(membersQuery(accountId));
  const go = (search: AuditFilter) => void navigate({ to: '/audit', search });
  const { action, actor } = filter;
  return (
    <search className="filters">
      <Field label={t.audit.action}>
        {(attributes) => (
          <select
            {...attributes}
            value={action ?? ''}
            onChange={({ target: { value } }) => go({ ...(actor && { actor }), ...(value && { action: value }) })}
          >
            <option value="">{t.audit.allActions}</option>
            {Object.keys(auditActions).map((name) => (
              <option key={name} value={name}>
                {actionText(t, name)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={t.audit.actor}>
        {(attributes) => (
          <select
            {...attributes}
            value={actor ?? ''}
            onChange={({ target: { value } }) => go({ ...(action && { action }), ...(value && { actor: value }) })}
          >
            <option value="">{t.audit.anybody}</option>
            {members.map(({ memberId, name, email }) => (
              <option key={memberId} value={memberId}>
                {plain(name ?? email ?? memberId)}
              </option>
            ))}
            {actor !== undefined && !members.some(({ memberId }) => memberId === actor) && (
              <option value={actor}>{plain(actor)}</option>
            )}
          </select>
        )}
      </Field>
    </search>
  );
}

function RecordRow({ record }: { record: AuditRecord }) {
  const t = useTexts();
  const { at, actor, action, target, detail, requestId } = record;
  const fields = Object.entries(detail);
  return (
    <li>
      <time dateTime={at} title={formatTime(at)}>
        {formatAgo(at)}
      </time>
      <p>
        <b>
          <Plain>{actorText(t, actor)}</Plain>
        </b>{' '}
        {actionText(t, action)} <code>{<Plain>{target}</Plain>}</code>
      </p>
      {fields.length > 0 && (
        <dl className="audit-fields">
          {fields.map(([name, { from, to }]) => (
            <div key={name}>
              <dt>{fieldName(name)}</dt>
              <dd className="change-values">
                {from !== undefined && <del>{valueText(from)}</del>}
                {from !== undefined && to !== undefined && <span aria-hidden="true">→</span>}
                {to !== undefined && <ins>{valueText(to)}</ins>}
              </dd>
            </div>
          ))}
        </dl>
      )}
      <small className="hint">
        {t.audit.request} <code>{requestId}</code>
      </small>
    </li>
  );
}

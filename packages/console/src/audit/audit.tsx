/** The audit trail: who changed what in the account, newest first. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { ChevronRight, Download, ScrollText } from 'lucide-react';
import { useMemo, useState } from 'react';
import { may, useAuthority } from '../api/authority.ts';
import { projectsQuery } from '../api/queries.ts';
import { useAccountId } from '../api/signed-in.ts';
import { membersQuery, serviceAccountsQuery } from '../api/team.ts';
import { NotAllowed } from '../page/not-allowed.tsx';
import { formatTime, formatted, textsOf, useTexts } from '../texts/index.ts';
import { useAction } from '../ui/action.ts';
import { Button, EmptyState, Skeleton } from '../ui/controls.tsx';
import { Fault } from '../ui/fault.tsx';
import { More } from '../ui/filters.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Plain } from '../ui/plain.tsx';
import { plain } from '../ui/plain-text.ts';
import { RowMenu } from '../ui/row-menu.tsx';
import { saveFile } from '../ui/save-file.ts';
import { Below, Table } from '../ui/table.tsx';
import { toast } from '../ui/toasts.tsx';
import { auditExport, auditQuery } from './audit.ts';
import type { AuditRecord } from './audit-filter.ts';
import { AuditFilters } from './audit-filters.tsx';
import { sentenceOf } from './audit-sentence.ts';
import { type Detail, shownOf, type Target, targetOf, titlesIn } from './audit-target.ts';
import { actorText, fieldText, isTime, kindOf, valueText } from './audit-words.ts';
import { dayName } from './day-name.ts';
import './audit.css';

const [useAuditTexts] = textsOf('audit');

export function AuditPage() {
  const t = useTexts();
  const a = useAuditTexts();
  const accountId = useAccountId();
  const own = useAuthority();
  const filter = useSearch({ from: '/shell/audit' });
  const isAllowed = own === undefined || may(own, 'read_settings');
  const records = useInfiniteQuery({ ...auditQuery(accountId, filter), enabled: isAllowed });
  const save = useAction(async () => {
    saveFile('audit.ndjson', 'application/x-ndjson', await auditExport(accountId, filter));
    toast(a.exported);
  });
  if (own !== undefined && !isAllowed) return <NotAllowed title={t.audit.title} own={own} power="read_settings" />;
  const all = records.data?.pages.flatMap(({ items }) => items);
  const isFiltered = Object.keys(filter).length > 0;
  const searchedTo = records.data?.pages.at(-1)?.searchedTo;
  return (
    <div className="page audit-page">
      <PageHeader title={t.audit.title} lead={a.lead}>
        <Button icon={<Download />} isBusy={save.isBusy} onClick={save.run}>
          {a.export}
        </Button>
      </PageHeader>
      <Fault error={save.fault ?? records.error} onRetry={() => void records.refetch()} />
      <AuditFilters filter={filter} />
      {records.isPending && isAllowed && <Skeleton rows={8} />}
      {all?.length === 0 && (
        <EmptyState
          icon={<ScrollText />}
          title={isFiltered ? a.noMatch : a.empty}
          action={
            isFiltered && (
              <Link to="/audit" search={{}} resetScroll={false} className="button">
                {a.clear}
              </Link>
            )
          }
        >
          {isFiltered ? searchedTo !== undefined && a.searchedTo(formatTime(searchedTo)) : a.emptyText}
        </EmptyState>
      )}
      {all !== undefined && all.length > 0 && <Records records={all} />}
      {records.hasNextPage && (
        <More>
          {isFiltered && all?.length !== 0 && searchedTo !== undefined && (
            <p className="hint" role="status">
              {a.searchedTo(formatTime(searchedTo))}
            </p>
          )}
          <Button isBusy={records.isFetchingNextPage} onClick={() => void records.fetchNextPage()}>
            {isFiltered ? a.searchOn : t.common.more}
          </Button>
        </More>
      )}
    </div>
  );
}

function Records({ records }: { records: readonly AuditRecord[] }) {
  const t = useTexts();
  const a = useAuditTexts();
  const titles = useMemo(() => titlesIn(records), [records]);
  const now = new Date();
  const copyRequest = async (requestId: string) => {
    await navigator.clipboard.writeText(requestId);
    toast(t.common.copied);
  };
  return (
    <Table
      label={t.audit.title}
      rows={records}
      keyOf={({ id }) => id}
      groupOf={({ at }) => dayName(at, now)}
      columns={[
        { name: a.what, cell: (record) => <Done record={record} title={titles.get(record.target)} /> },
        {
          name: a.when,
          isPlain: true,
          cell: ({ at }) => (
            <time dateTime={at} title={at}>
              {formatted(at, { timeStyle: 'short' })}
            </time>
          ),
        },
        {
          name: t.palette.actions,
          kind: 'actions',
          cell: ({ requestId }) => (
            <RowMenu
              label={plain(`${a.request} ${requestId}`)}
              actions={[{ label: plain(a.copyRequest(requestId)), run: () => void copyRequest(requestId) }]}
            />
          ),
        },
      ]}
    />
  );
}

/** Who did what, the proposal and the comment; opened, which values changed. `title`: that of the proposal, if known. */
function Done({ record, title }: { record: AuditRecord; title: string | undefined }) {
  const { actor, action } = record;
  const t = useTexts();
  const a = useAuditTexts();
  const target = useTarget(record);
  const [isOpen, setOpen] = useState(false);
  const { before, after } = sentenceOf(a, action);
  const { comment, details } = shownOf(record, after === undefined ? undefined : target.text, title);
  return (
    <div className="audit-done" data-open={isOpen || undefined}>
      {details.length > 0 && (
        <button
          type="button"
          className="audit-open"
          aria-label={a.details}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronRight aria-hidden="true" />
        </button>
      )}
      <b>
        <Plain>{actorText(t, a, actor)}</Plain>
      </b>{' '}
      {before} {after !== undefined && <TargetName record={record} target={target} />}
      {after}
      {target.proposal !== undefined && (
        <Below>
          <Link to={target.proposal}>
            <Plain>{title ?? a.openProposal}</Plain>
          </Link>
        </Below>
      )}
      {comment !== undefined && (
        <Below>
          <Plain>{comment}</Plain>
        </Below>
      )}
      {isOpen && <Details details={details} />}
    </div>
  );
}

/** Which values changed. */
function Details({ details }: { details: readonly Detail[] }) {
  const a = useAuditTexts();
  return (
    <dl className="audit-fields">
      {details.map(([name, change]) => (
        <div key={name}>
          <dt>{fieldText(a, name)}</dt>
          <Changed name={name} change={change} />
        </div>
      ))}
    </dl>
  );
}

function Changed({ name, change: { from, to } }: { name: string; change: Detail[1] }) {
  const t = useTexts();
  const a = useAuditTexts();
  const kind = kindOf(name);
  if (from === undefined && to === undefined) return <dd>{a.changed}</dd>;
  return (
    <dd className={kind === 'identifier' ? 'mono' : kind === 'time' ? 'times' : undefined}>
      {from !== undefined && <del title={exactly(from)}>{valueText(t, a, name, from)}</del>}
      {from !== undefined && to !== undefined && <span aria-hidden="true"> → </span>}
      {to !== undefined && <ins title={exactly(to)}>{valueText(t, a, name, to)}</ins>}
    </dd>
  );
}

/** A time to the millisecond, for a title. */
const exactly = (value: unknown): string | undefined => (isTime(value) ? value : undefined);

function useTarget(record: AuditRecord): Target {
  const t = useTexts();
  const accountId = useAccountId();
  const { data: projects = [] } = useQuery(projectsQuery(accountId));
  const { data: members = [] } = useQuery(membersQuery(accountId));
  const { data: serviceAccounts = [] } = useQuery(serviceAccountsQuery(accountId));
  return targetOf(t, record, { projects, members, serviceAccounts });
}

function TargetName({ record, target: { text, path, search } }: { record: AuditRecord; target: Target }) {
  return path === undefined ? (
    <Plain>{text}</Plain>
  ) : (
    <Link to={path} {...(search && { search })} title={plain(record.target)}>
      <Plain>{text}</Plain>
    </Link>
  );
}

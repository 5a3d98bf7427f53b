/** Filters of the audit trail: time, project, action and person. They are in the address. */
import { auditActions } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { projectsQuery } from '../api/queries.ts';
import { useAccountId } from '../api/signed-in.ts';
import { membersQuery } from '../api/team.ts';
import { textsOf, useTexts } from '../texts/index.ts';
import { Button } from '../ui/controls.tsx';
import { DayField } from '../ui/day-field.tsx';
import { Choice, FoldedFilters } from '../ui/filters.tsx';
import { dayText } from '../ui/local-day.ts';
import { plain } from '../ui/plain-text.ts';
import { type AuditFilter, auditPeriods, daysOf } from './audit-filter.ts';
import { actionText } from './audit-sentence.ts';

const [useAuditTexts] = textsOf('audit');

type Change = { readonly [Name in keyof AuditFilter]: AuditFilter[Name] | undefined };

export function AuditFilters({ filter }: { filter: AuditFilter }) {
  const t = useTexts();
  const a = useAuditTexts();
  const accountId = useAccountId();
  const navigate = useNavigate();
  const { data: members = [] } = useQuery(membersQuery(accountId));
  const { data: projects = [] } = useQuery(projectsQuery(accountId));
  const { action = '', actor = '', project = '' } = filter;
  const go = (change: Change) => {
    const left = Object.entries({ ...filter, ...change }).filter(([, value]) => value !== undefined && value !== '');
    void navigate({ to: '/audit', search: Object.fromEntries(left), resetScroll: false });
  };
  return (
    <FoldedFilters count={activeCount(filter)}>
      <Times filter={filter} go={go} />
      <Choice
        label={a.project}
        value={project}
        onChange={(value) => go({ project: value })}
        options={[
          { value: '', label: a.allProjects },
          ...withCurrent(
            projects.map(({ slug, name }) => ({ value: slug, label: plain(name) })),
            project,
          ),
        ]}
      />
      <Choice
        label={a.action}
        value={action}
        onChange={(value) => go({ action: value })}
        options={[
          { value: '', label: a.allActions },
          ...Object.keys(auditActions).map((name) => ({ value: name, label: actionText(a, name) })),
        ]}
      />
      <Choice
        label={t.audit.actor}
        value={actor}
        onChange={(value) => go({ actor: value })}
        options={[
          { value: '', label: a.allPeople },
          ...withCurrent(
            members.map(({ memberId, name, email }) => ({ value: memberId, label: plain(name ?? email ?? memberId) })),
            actor,
          ),
        ]}
      />
      {Object.keys(filter).length > 0 && (
        <Button onClick={() => void navigate({ to: '/audit', resetScroll: false })}>{a.clear}</Button>
      )}
    </FoldedFilters>
  );
}

/** A period counts as one filter. */
const activeCount = ({ from, to, last, ...others }: AuditFilter): number =>
  Object.keys(others).length + ((from ?? to ?? last) === undefined ? 0 : 1);

/** Options with the current one, which may not be among them any more. */
const withCurrent = (options: readonly { value: string; label: string }[], current: string) =>
  current === '' || options.some(({ value }) => value === current)
    ? options
    : [...options, { value: current, label: plain(current) }];

/** A number of days up to today, or the first and the last day. */
function Times({ filter, go }: { filter: AuditFilter; go: (change: Change) => void }) {
  const a = useAuditTexts();
  const { from, to } = filter;
  const days = daysOf(filter);
  const isRange = days === undefined && (from !== undefined || to !== undefined);
  const today = dayText(new Date());
  const choose = (value: string) =>
    go({
      last: value === 'range' ? undefined : value,
      from: value === 'range' ? today : undefined,
      to: value === 'range' ? today : undefined,
    });
  return (
    <>
      <Choice
        label={a.time}
        value={isRange ? 'range' : days === undefined ? '' : (filter.last ?? '')}
        onChange={choose}
        options={[
          { value: '', label: a.anyTime },
          ...Object.entries(auditPeriods).map(([value, count]) => ({ value, label: a.lastDays(count) })),
          { value: 'range', label: a.range },
        ]}
      />
      {isRange && (
        <span className="filter-range">
          <DayField
            aria-label={a.from}
            max={to ?? today}
            isFilter
            value={from ?? ''}
            onChange={(day) => day !== undefined && go({ from: day })}
          />
          <span aria-hidden="true">–</span>
          <DayField
            aria-label={a.to}
            min={from}
            max={today}
            isFilter
            value={to ?? ''}
            onChange={(day) => day !== undefined && go({ to: day })}
          />
        </span>
      )}
    </>
  );
}

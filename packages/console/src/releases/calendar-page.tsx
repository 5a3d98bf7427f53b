/** What is applied and undone at a time, in all environments, by day. */
import { type Environment, environments } from '@holdfast/contract';
import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CalendarClock, ChevronRight } from 'lucide-react';
import { comingTimes } from '../api/proposal-times.ts';
import { comingQuery, type ProposalItem } from '../api/proposals.ts';
import type { ProjectKey } from '../api/queries.ts';
import { isMissing, NotFound } from '../shell/not-found.tsx';
import { useProject } from '../shell/route-params.ts';
import { useTexts } from '../texts/index.ts';
import { useReleaseTexts } from '../texts/releases.ts';
import { EmptyState, EnvironmentName, PageHeader, Skeleton } from '../ui/controls.tsx';
import { Fault } from '../ui/fault.tsx';
import '../styles/releases.css';
import { formatClock, formatFullDay, formatShortDay, formatUtc, isOtherThanUtc } from './formats.ts';
import { ownZone } from './local-time.ts';
import { missingApprovals, proposalName } from './proposal-state.tsx';

/** A proposal that is applied, undone, or both at set times. */
interface Entry {
  readonly apply: string | null;
  readonly revert: string | null;
  /** The first of the two. */
  readonly at: string;
  readonly env: Environment;
  readonly proposal: ProposalItem;
}

export function CalendarPage() {
  const t = useTexts();
  const r = useReleaseTexts();
  const project = useProject();
  const found = useQueries({ queries: environments.map((env) => comingQuery({ ...project, env })) });
  const error = found.find((one) => one.error)?.error;
  if (isMissing(error)) return <NotFound />;
  const isLoaded = found.every(({ data }) => data !== undefined);
  const entries = environments
    .flatMap((env, index) => {
      const { open = [], reverting = [] } = found[index]?.data ?? {};
      return [...open, ...reverting].flatMap((proposal) => entryOf(env, proposal) ?? []);
    })
    .sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return (
    <div className="page">
      <PageHeader title={t.nav.calendar} lead={`${r.calendarLead} ${r.zone(ownZone())}`} />
      <Fault error={error} onRetry={() => void Promise.all(found.map(({ refetch }) => refetch()))} />
      {!isLoaded && !error && <Skeleton rows={6} />}
      {isLoaded && entries.length === 0 && (
        <EmptyState icon={<CalendarClock />} title={r.nothingComes}>
          {r.nothingComesText}
        </EmptyState>
      )}
      {[...Map.groupBy(entries, ({ at }) => formatFullDay(at))].map(([day, ofDay]) => (
        <section key={day} className="calendar-day">
          <h2>{day}</h2>
          <ol className="card">
            {ofDay.map((entry) => (
              <Row key={entry.proposal.id} project={project} entry={entry} />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

function entryOf(env: Environment, proposal: ProposalItem): Entry | undefined {
  const { apply, revert } = comingTimes(proposal);
  const at = apply ?? revert;
  return at === null ? undefined : { apply, revert, at, env, proposal };
}

function Row({ project: { slug }, entry: { apply, revert, at, env, proposal } }: { project: ProjectKey; entry: Entry }) {
  const r = useReleaseTexts();
  const missing = apply === null ? 0 : missingApprovals(proposal);
  const end = apply === null ? null : revert;
  return (
    <li className="calendar-event">
      <p className="calendar-time">
        <Moment at={at} />
        {end !== null && (
          <>
            {' – '}
            <Moment at={end} />
          </>
        )}
        {isOtherThanUtc(at) && (
          <small className="hint">
            {formatUtc(at)}
            {end !== null && ` – ${formatUtc(end)}`}
          </small>
        )}
      </p>
      <p className="calendar-what">
        <Link to="/p/$slug/$env/proposals/$proposalId" params={{ slug, env, proposalId: proposal.id }}>
          <bdi>{proposalName(r, proposal)}</bdi>
        </Link>
        <span className="row-badges">
          <EnvironmentName env={env} />
          <span className={`badge ${apply === null ? 'warn' : 'accent'}`}>
            {apply === null ? r.reverts : r.isScheduled}
          </span>
          {missing > 0 && <span className="badge warn">{r.missing(missing)}</span>}
          {proposal.failure !== null && <span className="badge bad">{r.states.failed}</span>}
        </span>
      </p>
      <ChevronRight aria-hidden="true" />
    </li>
  );
}

const Moment = ({ at }: { at: string }) => <time dateTime={at}>{`${formatShortDay(at)}, ${formatClock(at)}`}</time>;

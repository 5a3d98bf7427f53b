/** What is applied and undone at a time, in all environments, by day. */
import { type Environment, environments } from '@holdfast/contract';
import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CalendarClock } from 'lucide-react';
import { comingQuery, type ProposalItem } from '../api/proposals.ts';
import type { ProjectKey } from '../api/queries.ts';
import { isMissing, NotFound } from '../shell/not-found.tsx';
import { useProject } from '../shell/route-params.ts';
import { formatDate, useTexts } from '../texts/index.ts';
import { useReleaseTexts } from '../texts/releases.ts';
import { EmptyState, EnvironmentName, PageHeader, Skeleton } from '../ui/controls.tsx';
import { Fault } from '../ui/fault.tsx';
import '../styles/releases.css';
import { formatClock, formatUtc } from './formats.ts';
import { ownZone } from './local-time.ts';
import { missingApprovals, proposalName } from './proposal-state.tsx';

/** A time at which a proposal is applied or undone. */
interface Event {
  readonly at: string;
  readonly kind: 'apply' | 'revert';
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
  const events = environments
    .flatMap((env, index) => {
      const { open = [], reverting = [] } = found[index]?.data ?? {};
      return [...open, ...reverting].flatMap((proposal) => eventsOf(env, proposal));
    })
    .sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return (
    <div className="page">
      <PageHeader title={t.nav.calendar} lead={`${r.calendarLead} ${r.zone(ownZone())}`} />
      <Fault error={error} onRetry={() => void Promise.all(found.map(({ refetch }) => refetch()))} />
      {!isLoaded && !error && <Skeleton rows={6} />}
      {isLoaded && events.length === 0 && (
        <EmptyState icon={<CalendarClock />} title={r.nothingComes}>
          {r.nothingComesText}
        </EmptyState>
      )}
      {[...Map.groupBy(events, ({ at }) => formatDate(at))].map(([day, ofDay]) => (
        <section key={day} className="calendar-day">
          <h2>{day}</h2>
          <ol className="card">
            {ofDay.map((event) => (
              <Row key={`${event.proposal.id} ${event.kind}`} project={project} event={event} />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

function eventsOf(env: Environment, proposal: ProposalItem): readonly Event[] {
  const { state, applyAt, revertAt } = proposal;
  return [
    ...(state === 'open' && applyAt !== null ? [{ at: applyAt, kind: 'apply' as const, env, proposal }] : []),
    ...(revertAt !== null ? [{ at: revertAt, kind: 'revert' as const, env, proposal }] : []),
  ];
}

function Row({ project: { slug }, event: { at, kind, env, proposal } }: { project: ProjectKey; event: Event }) {
  const r = useReleaseTexts();
  const missing = kind === 'apply' ? missingApprovals(proposal) : 0;
  return (
    <li className="calendar-event">
      <p className="calendar-time">
        <time dateTime={at}>{formatClock(at)}</time>
        <small className="hint">{formatUtc(at)}</small>
      </p>
      <p className="calendar-what">
        <Link to="/p/$slug/$env/proposals/$proposalId" params={{ slug, env, proposalId: proposal.id }}>
          <bdi>{proposalName(r, proposal)}</bdi>
        </Link>
        <span className="row-badges">
          <EnvironmentName env={env} />
          <span className="badge">{kind === 'apply' ? r.applies : r.reverts}</span>
          {missing > 0 && <span className="badge warn">{r.missing(missing)}</span>}
          {proposal.failure !== null && <span className="badge bad">{r.states.failed}</span>}
        </span>
      </p>
    </li>
  );
}

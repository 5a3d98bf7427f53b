/** Changes at set times by day. */
import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { useReleaseTexts } from '../texts/releases.ts';
import { EnvironmentName } from '../ui/controls.tsx';
import type { CalendarEntry, CalendarState } from './calendar-spans.ts';
import { formatClock, formatFullDay, formatShortDay, formatUtc, isOtherThanUtc } from './formats.ts';
import { missingApprovals, proposalName } from './proposal-state.tsx';

interface CalendarDaysProps {
  readonly slug: string;
  readonly entries: readonly CalendarEntry[];
  /** A change that began earlier is at its end, or if that is not `until` then, here. */
  readonly from?: number;
  readonly until?: number;
}

export function CalendarDays({ slug, entries, from = Number.NEGATIVE_INFINITY, until }: CalendarDaysProps) {
  const dayIn = ({ start, end }: CalendarEntry) =>
    start >= from ? start : end !== null && end < (until ?? end) ? end : Math.max(start, from);
  const sorted = until === undefined ? entries : entries.toSorted((one, other) => dayIn(one) - dayIn(other));
  return [...Map.groupBy(sorted, (entry) => formatFullDay(dayIn(entry)))].map(([day, ofDay]) => (
    <section key={day} className="calendar-day">
      <h3>{day}</h3>
      <ol className="card">
        {ofDay.map((entry) => (
          <Row key={entry.proposal.id} slug={slug} entry={entry} />
        ))}
      </ol>
    </section>
  ));
}

const kinds: Readonly<Record<CalendarState, string>> = {
  scheduled: 'accent',
  active: 'warn',
  ended: 'good',
  failed: 'bad',
};

function Row({ slug, entry }: { slug: string; entry: CalendarEntry }) {
  const r = useReleaseTexts();
  const { env, proposal, start, end, state } = entry;
  const missing = missingIn(entry);
  return (
    <li className="calendar-event">
      <p className="calendar-time">
        <Moment at={start} />
        {end !== null && (
          <>
            {' – '}
            <Moment at={end} />
          </>
        )}
        {isOtherThanUtc(start) && (
          <small className="hint">
            {formatUtc(start)}
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
          <span className={`badge ${kinds[state]}`}>{r.calendarStates[state]}</span>
          {missing > 0 && <span className="badge warn">{r.missing(missing)}</span>}
        </span>
      </p>
      <ChevronRight aria-hidden="true" />
    </li>
  );
}

/** How many approvals a change that is still to come lacks. */
export const missingIn = ({ state, proposal }: CalendarEntry): number =>
  state === 'scheduled' ? missingApprovals(proposal) : 0;

/** Day and time of a moment. */
export const formatDayTime = (at: number): string => `${formatShortDay(at)}, ${formatClock(at)}`;

const Moment = ({ at }: { at: number }) => <time dateTime={new Date(at).toISOString()}>{formatDayTime(at)}</time>;

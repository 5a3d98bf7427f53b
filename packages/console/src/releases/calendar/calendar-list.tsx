/** Changes at set times by day. */
import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { useAccountId } from '../../api/signed-in.ts';
import { textsOf } from '../../texts/index.ts';
import { formatDayTime, formatDayTimes, formatFullDay, formatUtc, isOtherThanUtc } from '../../times/formats.ts';
import { ListedBadge, proposalName } from '../../times/proposal-state.tsx';
import { EnvironmentName } from '../../ui/controls.tsx';
import type { CalendarEntry } from './calendar-spans.ts';
import './calendar-list.css';

const [useReleaseTexts] = textsOf('releases');

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

function Row({ slug, entry }: { slug: string; entry: CalendarEntry }) {
  const r = useReleaseTexts();
  const accountId = useAccountId();
  const { env, proposal, start, end } = entry;
  return (
    <li className="calendar-event">
      <p className="calendar-time">
        <time dateTime={new Date(start).toISOString()}>
          {end === null ? formatDayTime(start) : formatDayTimes(start, end)}
        </time>
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
          <ListedBadge stateKey={{ accountId, slug, env }} proposal={proposal} />
        </span>
      </p>
      <ChevronRight aria-hidden="true" />
    </li>
  );
}

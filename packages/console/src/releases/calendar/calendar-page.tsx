/** Changes at set times in all environments: a strip over time, and a list of those outside of it. Narrow windows show lists alone. */
import { environments } from '@holdfast/contract';
import { useQueries } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { CalendarClock } from 'lucide-react';
import { timedQuery } from '../../api/proposals.ts';
import { isMissing, NotFound } from '../../page/not-found.tsx';
import { useProject } from '../../page/route-params.ts';
import { textsOf, useLanguage, useTexts } from '../../texts/index.ts';
import { formatDays } from '../../times/formats.ts';
import { ownZone } from '../../times/local-time.ts';
import { EmptyState, Skeleton } from '../../ui/controls.tsx';
import { Fault } from '../../ui/fault.tsx';
import { firstDayOf } from '../../ui/local-day.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { wideWindow } from '../../ui/wide-window.ts';
import { CalendarBar } from './calendar-bar.tsx';
import { CalendarDays } from './calendar-list.tsx';
import { type CalendarEntry, type CalendarSearch, entryOf, isIn, periodOf, searchOf, whereIs } from './calendar-spans.ts';
import { CalendarStrip } from './calendar-strip.tsx';
import './calendar-page.css';

const [useReleaseTexts] = textsOf('releases');

/** Below, the days would be too narrow. */
const useHasStrip = wideWindow(641);

export function CalendarPage() {
  const t = useTexts();
  const r = useReleaseTexts();
  const project = useProject();
  const address = useSearch({ from: '/shell/p/$slug/calendar' });
  const search = searchOf(address);
  const found = useQueries({ queries: environments.map((env) => timedQuery({ ...project, env })) });
  const error = found.find((one) => one.error)?.error;
  if (isMissing(error)) return <NotFound />;
  const isLoaded = found.every(({ data }) => data !== undefined);
  const all = environments.flatMap((env, index) => (found[index]?.data ?? []).flatMap((one) => entryOf(env, one) ?? []));
  const shown = all.filter(
    ({ env, phase }) =>
      (search.env === undefined || env === search.env) && (search.state === undefined || isIn(search.state, phase)),
  );
  return (
    <div className="page">
      <PageHeader title={t.nav.calendar} lead={`${r.calendarLead} ${r.zone(ownZone())}`} />
      <Fault error={error} onRetry={() => void Promise.all(found.map(({ refetch }) => refetch()))} />
      <CalendarBar slug={project.slug} search={search} isMoved={address.from !== undefined} />
      {!isLoaded && !error && <Skeleton rows={6} />}
      {isLoaded && all.length === 0 && (
        <EmptyState icon={<CalendarClock />} title={r.nothingComes}>
          {r.nothingComesText}
        </EmptyState>
      )}
      {isLoaded && all.length > 0 && <Changes slug={project.slug} search={search} entries={shown} />}
    </div>
  );
}

interface ChangesProps {
  readonly slug: string;
  readonly search: CalendarSearch;
  readonly entries: readonly CalendarEntry[];
}

/** The changes that the filters leave, inside the period, after and before it. */
function Changes({ slug, search: { from, by, env }, entries }: ChangesProps) {
  const r = useReleaseTexts();
  const language = useLanguage();
  const hasStrip = useHasStrip();
  const period = periodOf(from, by, firstDayOf(language));
  const sorted = entries.toSorted((one, other) => one.start - other.start);
  const of = Object.groupBy(sorted, (entry) => whereIs(period, entry));
  const lanes = env === undefined ? environments : [env];
  const { inside = [], after = [], before = [] } = of;
  return (
    <>
      <h2 className="calendar-range" aria-live="polite">
        {formatDays(period.days[0] ?? 0, period.end - 1)}
      </h2>
      {hasStrip ? (
        <CalendarStrip slug={slug} period={period} lanes={lanes} entries={inside} />
      ) : (
        <CalendarDays slug={slug} entries={inside} from={period.days[0] ?? 0} until={period.end} />
      )}
      {inside.length === 0 && <p className="hint calendar-nothing">{r.nothingInside}</p>}
      {after.length > 0 && (
        <section className="calendar-outside">
          <h2>{r.later(after.length)}</h2>
          <CalendarDays slug={slug} entries={after} />
        </section>
      )}
      {before.length > 0 && (
        <section className="calendar-outside">
          <h2>{r.earlier(before.length)}</h2>
          <CalendarDays slug={slug} entries={before.toReversed()} />
        </section>
      )}
    </>
  );
}

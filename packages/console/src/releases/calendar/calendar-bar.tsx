/** Chooses the period of the calendar, and which changes it shows. */
import { environments } from '@holdfast/contract';
import { useNavigate } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { textsOf, useTexts } from '../../texts/index.ts';
import { Button, Segments } from '../../ui/controls.tsx';
import { Choice, FoldedFilters } from '../../ui/filters.tsx';
import { dayText } from '../../ui/local-day.ts';
import { type CalendarSearch, calendarStates, stepped } from './calendar-spans.ts';

const [useReleaseTexts] = textsOf('releases');

interface CalendarBarProps {
  readonly slug: string;
  readonly search: CalendarSearch;
  /** Whether `search.from` is in the address. */
  readonly isMoved: boolean;
}

export function CalendarBar({ slug, search, isMoved }: CalendarBarProps) {
  const t = useTexts();
  const r = useReleaseTexts();
  const navigate = useNavigate();
  const { scheduled, forNow, failed } = r.standings;
  const names = { scheduled, active: forNow, ended: r.ended, failed };
  const { from, by, env = '', state = '' } = search;
  const now = { from: isMoved ? dayText(from) : '', by, env, state };
  const go = (change: Partial<Record<keyof CalendarSearch, string>>) => {
    const next = Object.entries({ ...now, ...change }).filter(([, value]) => value !== '' && value !== 'month');
    void navigate({ to: '/p/$slug/calendar', params: { slug }, search: Object.fromEntries(next), resetScroll: false });
  };
  const step = (steps: number) => go({ from: dayText(stepped(from, by, steps)) });
  return (
    <FoldedFilters
      count={Number(env !== '') + Number(state !== '')}
      search={
        <div className="calendar-moves">
          <Segments
            label={r.period}
            value={by}
            options={[
              { value: 'week', label: r.week },
              { value: 'month', label: r.month },
            ]}
            onChange={(next) => go({ by: next })}
          />
          <fieldset className="calendar-steps">
            <legend className="hidden-text">{r.period}</legend>
            <Button icon={<ChevronLeft />} aria-label={r.previous[by]} title={r.previous[by]} onClick={() => step(-1)} />
            <Button onClick={() => go({ from: '' })}>{r.toToday}</Button>
            <Button icon={<ChevronRight />} aria-label={r.following[by]} title={r.following[by]} onClick={() => step(1)} />
          </fieldset>
        </div>
      }
    >
      <Choice
        label={t.nav.environment}
        value={env}
        onChange={(next) => go({ env: next })}
        options={[
          { value: '', label: r.allEnvironments },
          ...environments.map((value) => ({ value, label: t.environments[value] })),
        ]}
      />
      <Choice
        label={r.state}
        value={state}
        onChange={(next) => go({ state: next })}
        options={[{ value: '', label: r.allStates }, ...calendarStates.map((value) => ({ value, label: names[value] }))]}
      />
    </FoldedFilters>
  );
}

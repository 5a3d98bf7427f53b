/** A period from left to right, with a lane for each environment. Bars go from the start of a change to its change back. */
import type { Environment } from '@holdfast/contract';
import { Link } from '@tanstack/react-router';
import type { CSSProperties } from 'react';
import { useAccountId } from '../../api/signed-in.ts';
import { textsOf } from '../../texts/index.ts';
import { languageNow } from '../../texts/language.ts';
import { formatDayTime, formatDayTimes } from '../../times/formats.ts';
import { proposalName, standingName, useStanding } from '../../times/proposal-state.tsx';
import { phases } from '../../times/standing.ts';
import { EnvironmentName } from '../../ui/controls.tsx';
import { type CalendarEntry, type Period, type Span, shareOf, spansOf } from './calendar-spans.ts';
import './calendar-strip.css';

const [useReleaseTexts] = textsOf('releases');

interface CalendarStripProps {
  readonly slug: string;
  readonly period: Period;
  readonly lanes: readonly Environment[];
  readonly entries: readonly CalendarEntry[];
}

export function CalendarStrip({ slug, period, lanes, entries }: CalendarStripProps) {
  return (
    <div className="calendar-lanes card">
      <Days period={period} />
      {lanes.map((env) => (
        <section key={env} className="calendar-lane" data-env={env}>
          <h3>
            <EnvironmentName env={env} />
          </h3>
          <ol>
            {spansOf(
              period,
              entries.filter((entry) => entry.env === env),
            ).map((span) => (
              <Placed key={span.entry.proposal.id} slug={slug} span={span} />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

/** The days behind the lanes, and now. Each change says its times in words. */
function Days({ period }: { period: Period }) {
  const r = useReleaseTexts();
  const now = shareOf(period, Date.now());
  const today = new Date().toDateString();
  const isWeek = period.days.length <= 7;
  const above = new Intl.DateTimeFormat(languageNow(), isWeek ? { weekday: 'short' } : { month: 'short' });
  return (
    <div className="calendar-days" data-week={isWeek || undefined} aria-hidden="true">
      {period.days.map((start, index) => {
        const date = new Date(start);
        // The name of a month takes the room of two days.
        const isFirst = index === 0 && new Date(period.days[1] ?? start).getDate() !== 1;
        const isNamed = isWeek || isFirst || date.getDate() === 1;
        return (
          <i
            key={start}
            data-weekend={date.getDay() % 6 === 0 || undefined}
            data-first={index % 7 === 0 || undefined}
            data-month={date.getDate() === 1 || undefined}
            data-today={date.toDateString() === today || undefined}
          >
            <small>{isNamed ? above.format(date) : ''}</small>
            <b>{date.getDate()}</b>
          </i>
        );
      })}
      {now >= 0 && now <= 1 && (
        <span className="calendar-now" style={{ insetInlineStart: percent(now) }}>
          {r.now}
        </span>
      )}
    </div>
  );
}

/** Room for an arrow, and between it and the edge. */
const arrowPixels = 15;

const percent = (share: number): string => `${share * 100}%`;

function Placed({ slug, span }: { slug: string; span: Span }) {
  const r = useReleaseTexts();
  const { entry, left, width, barLeft, barWidth, isBegun, goesOn, isLate, row } = span;
  const { env, proposal, start, end } = entry;
  const accountId = useAccountId();
  const standing = useStanding({ accountId, slug, env }, proposal);
  const name = proposalName(r, proposal);
  const times = end === null ? formatDayTime(start) : formatDayTimes(start, end);
  const about = `${standingName(r, standing, proposal)} · ${times}`;
  const place: CSSProperties = { gridRow: row, insetInlineStart: percent(left), width: percent(width) };
  const bar: CSSProperties = {
    marginInlineStart: `calc(${percent((barLeft - left) / width)} + ${isBegun ? arrowPixels : 0}px)`,
    ...(end !== null && {
      width: `calc(${percent(barWidth / width)} - ${arrowPixels * (Number(isBegun) + Number(goesOn))}px)`,
    }),
  };
  return (
    <li style={place}>
      <Link
        to="/p/$slug/$env/proposals/$proposalId"
        params={{ slug, env, proposalId: proposal.id }}
        className="calendar-span"
        data-late={isLate || undefined}
        title={`${name}\n${about}`}
      >
        <i
          className="calendar-bar"
          style={bar}
          data-phase={phases[standing]}
          data-stays={end === null || undefined}
          data-begun={isBegun || undefined}
          data-goes-on={goesOn || undefined}
        />
        <b>
          <bdi>{name}</bdi>
        </b>
        <small>
          {standingName(r, standing, proposal)}
          {isLate ? <br /> : ' · '}
          {times}
        </small>
      </Link>
    </li>
  );
}

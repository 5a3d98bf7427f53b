/** Numbers of the last days, as bars, and as a table for screen readers. */
import type { CSSProperties } from 'react';
import { formatDay, formatNumber, type Texts, useTexts } from '../texts/index.ts';
import { scaleOf } from './chart-scale.ts';
import './daily-chart.css';

export interface Day {
  /** When it starts. */
  readonly start: string;
  /** A number for each part of its bar, from the bottom. */
  readonly values: readonly number[];
}

interface DailyChartProps {
  readonly caption: string;
  /** The heading of the days' column. */
  readonly day: string;
  /** The labels of the bars' parts. */
  readonly parts: readonly string[];
  readonly days: readonly Day[];
  /** Parts other than the first of `outcome`, and all of `errors`, have separate colours, and a legend. */
  readonly tone?: 'errors' | 'outcome';
}

export function DailyChart({ caption, day, parts, days, tone }: DailyChartProps) {
  const scale = scaleOf(Math.max(...days.map(sumOf)));
  const [top] = scale;
  const t = useTexts();
  const marks = [days[0], days[Math.floor(days.length / 2)], days.at(-1)];
  return (
    <figure className="daily" data-tone={tone}>
      <figcaption>{caption}</figcaption>
      <div className="daily-plot" aria-hidden="true">
        <div className="daily-scale">
          {scale.map((value) => (
            <span key={value}>{formatNumber(value)}</span>
          ))}
        </div>
        <ol style={{ '--steps': scale.length - 1 } as CSSProperties}>
          {days.map((one) => (
            <Bar key={one.start} day={one} parts={parts} top={top} />
          ))}
        </ol>
        <div className="daily-days">{marks.map((mark) => mark && <span key={mark.start}>{nameOf(t, mark)}</span>)}</div>
      </div>
      {tone !== undefined && (
        <ul className="daily-parts" aria-hidden="true">
          {parts.map((part, index) => (
            <li key={part}>
              <i data-part={index} /> {tone === 'errors' ? <code>{part}</code> : part}{' '}
              {formatNumber(days.reduce((sum, { values }) => sum + (values[index] ?? 0), 0))}
            </li>
          ))}
        </ul>
      )}
      <div className="hidden-text">
        <DailyTable caption={caption} day={day} parts={parts} days={days} />
      </div>
    </figure>
  );
}

const dayMs = 86_400_000;

/** Whether a day is not over, so that its numbers still grow. */
const isToday = ({ start }: Day): boolean => Date.parse(start) + dayMs > Date.now();

/** The name of a day; of the present one, that it is not over. */
const nameOf = (t: Texts, one: Day): string => (isToday(one) ? t.usage.soFar(formatDay(one.start)) : formatDay(one.start));

const sumOf = ({ values }: Day): number => values.reduce((sum, value) => sum + value, 0);

function Bar({ day, parts, top }: { day: Day; parts: readonly string[]; top: number }) {
  const t = useTexts();
  const several = parts.length > 1 && sumOf(day) > 0;
  return (
    <li data-unfinished={isToday(day) || undefined}>
      <span className="daily-bar">
        {day.values.map(
          (value, index) =>
            value > 0 && <i key={parts[index]} data-part={index} style={{ height: `${(value / top) * 100}%` }} />,
        )}
      </span>
      <span className="daily-tip">
        <b>{formatNumber(sumOf(day))}</b> {nameOf(t, day)}
        {several &&
          day.values.map(
            (value, index) =>
              value > 0 && (
                <small key={parts[index]}>
                  {formatNumber(value)} {parts[index]}
                </small>
              ),
          )}
      </span>
    </li>
  );
}

function DailyTable({ caption, day, parts, days }: DailyChartProps) {
  const t = useTexts();
  return (
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{day}</th>
          {parts.map((part) => (
            <th scope="col" key={part}>
              {part}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.map((one) => (
          <tr key={one.start}>
            <th scope="row">{nameOf(t, one)}</th>
            {one.values.map((value, index) => (
              <td key={parts[index]}>{formatNumber(value)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

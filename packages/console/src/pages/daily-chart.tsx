/** Numbers of the last days, as bars, and as a table for screen readers. */
import { formatDay, formatNumber } from '../texts/index.ts';

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
  /** Errors have separate colours, and a legend. */
  readonly tone?: 'errors';
}

export function DailyChart({ caption, day, parts, days, tone }: DailyChartProps) {
  const top = ceiling(Math.max(...days.map(sumOf)));
  const marks = [days[0], days[Math.floor(days.length / 2)], days.at(-1)];
  const scale = top % 2 === 0 ? [top, top / 2, 0] : [top, 0];
  return (
    <figure className="daily" data-tone={tone}>
      <figcaption>{caption}</figcaption>
      <div className="daily-plot" aria-hidden="true">
        <div className="daily-scale">
          {scale.map((value) => (
            <span key={value}>{formatNumber(value)}</span>
          ))}
        </div>
        <ol>
          {days.map((one) => (
            <Bar key={one.start} day={one} parts={parts} top={top} />
          ))}
        </ol>
        <div className="daily-days">
          {marks.map((mark) => mark && <span key={mark.start}>{formatDay(mark.start)}</span>)}
        </div>
      </div>
      {tone === 'errors' && (
        <ul className="daily-parts" aria-hidden="true">
          {parts.map((part, index) => (
            <li key={part}>
              <i data-part={index} /> <code>{part}</code>{' '}
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

const sumOf = ({ values }: Day): number => values.reduce((sum, value) => sum + value, 0);

function Bar({ day, parts, top }: { day: Day; parts: readonly string[]; top: number }) {
  const several = parts.length > 1 && sumOf(day) > 0;
  return (
    <li>
      <span className="daily-bar">
        {day.values.map(
          (value, index) =>
            value > 0 && <i key={parts[index]} data-part={index} style={{ height: `${(value / top) * 100}%` }} />,
        )}
      </span>
      <span className="daily-tip">
        <b>{formatNumber(sumOf(day))}</b> {formatDay(day.start)}
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
        {days.map(({ start, values }) => (
          <tr key={start}>
            <th scope="row">{formatDay(start)}</th>
            {values.map((value, index) => (
              <td key={parts[index]}>{formatNumber(value)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The next round number: 1, 2, 4 or 10 times a power of ten. */
function ceiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return [1, 2, 4, 10].map((factor) => factor * power).find((one) => one >= value) ?? 10 * power;
}

/** A number for each of the last days, as bars, and as a table for those who do not see them. */
import type { UsageBody } from '@holdfast/contract';
import { formatDay, formatNumber, useTexts } from '../texts/index.ts';

export function DailyChart({ daily }: { daily: UsageBody['daily'] }) {
  const t = useTexts();
  const top = ceiling(Math.max(...daily.map(({ apiRequests }) => apiRequests)));
  const marks = [daily[0], daily[Math.floor(daily.length / 2)], daily.at(-1)];
  return (
    <figure className="daily">
      <figcaption>{t.usage.daily}</figcaption>
      <div className="daily-plot" aria-hidden="true">
        <div className="daily-scale">
          {[top, top / 2, 0].map((value) => (
            <span key={value}>{formatNumber(value)}</span>
          ))}
        </div>
        <ol>
          {daily.map(({ start, apiRequests }) => (
            <li key={start}>
              <i style={{ height: `${(apiRequests / top) * 100}%` }} data-none={apiRequests === 0 || undefined} />
              <span className="daily-tip">
                <b>{formatNumber(apiRequests)}</b> {formatDay(start)}
              </span>
            </li>
          ))}
        </ol>
        <div className="daily-days">
          {marks.map((mark) => mark && <span key={mark.start}>{formatDay(mark.start)}</span>)}
        </div>
      </div>
      <table className="hidden-text">
        <caption>{t.usage.daily}</caption>
        <thead>
          <tr>
            <th scope="col">{t.usage.day}</th>
            <th scope="col">{t.usage.requests}</th>
          </tr>
        </thead>
        <tbody>
          {daily.map(({ start, apiRequests }) => (
            <tr key={start}>
              <th scope="row">{formatDay(start)}</th>
              <td>{formatNumber(apiRequests)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

/** The next number that divides well: 2, 4 or 10 times a power of ten. */
function ceiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return [2, 4, 10].map((factor) => factor * power).find((one) => one >= value) ?? 10 * power;
}

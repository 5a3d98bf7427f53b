/** The account's usage and limits. */
import type { UsageBody } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { accountQuery, usageQuery } from '../api/queries.ts';
import { useAccountId } from '../api/signed-in.ts';
import { formatBytes, formatDate, formatNumber, useTexts } from '../texts/index.ts';
import { Loaded } from '../ui/loaded.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { paceOf } from '../webhooks/pace.ts';
import { DailyChart } from './daily-chart.tsx';
import { RequestFigures } from './request-figures.tsx';
import './usage.css';

export function UsagePage() {
  const t = useTexts();
  const usage = useQuery(usageQuery(useAccountId()));
  const { data } = usage;
  const period = data && t.usage.lead(formatDate(data.period.start), formatDate(Date.parse(data.period.end) - 1));
  const lead = data && isUnlimited(data) ? `${period} ${t.usage.unlimitedAll}` : period;
  return (
    <div className="page">
      <PageHeader title={t.usage.title} lead={lead} />
      <Loaded query={usage} rows={6}>
        {(counted) => <Counters usage={counted} />}
      </Loaded>
      <RequestFigures />
    </div>
  );
}

const isUnlimited = ({ apiRequests, projects, endUsers, storageBytes }: UsageBody): boolean =>
  [apiRequests, projects, endUsers, storageBytes].every(({ limit }) => limit === null);

function Counters({ usage }: { usage: UsageBody }) {
  const t = useTexts();
  const isAllUnlimited = isUnlimited(usage);
  const { period, apiRequests, projects, endUsers, storageBytes } = usage;
  const { data: account } = useQuery(accountQuery(useAccountId()));
  const [start, end, now] = [Date.parse(period.start), Date.parse(period.end), Date.now()];
  const since = Math.max(start, Date.parse(account?.createdAt ?? ''));
  const pace = account && paceOf({ used: apiRequests.used, since, end, now });
  return (
    <div className="meters">
      <Counter
        name={t.usage.apiRequests}
        counter={apiRequests}
        format={formatNumber}
        isWide
        isAllUnlimited={isAllUnlimited}
        {...(pace !== undefined && { hint: t.usage.pace(formatNumber(pace)) })}
        elapsed={(now - start) / (end - start)}
      >
        <DailyChart
          caption={t.usage.daily}
          day={t.usage.day}
          parts={[t.usage.requests]}
          days={usage.daily.map((day) => ({ start: day.start, values: [day.apiRequests] }))}
        />
      </Counter>
      <Counter name={t.usage.projects} counter={projects} format={formatNumber} isAllUnlimited={isAllUnlimited} />
      <Counter name={t.usage.endUsers} counter={endUsers} format={formatNumber} isAllUnlimited={isAllUnlimited} />
      <Counter name={t.usage.storageBytes} counter={storageBytes} format={formatBytes} isAllUnlimited={isAllUnlimited} />
    </div>
  );
}

interface CounterProps {
  readonly name: string;
  readonly counter: UsageBody['apiRequests'];
  readonly format: (value: number) => string;
  readonly hint?: string;
  readonly isWide?: true;
  /** Whether nothing has a limit, which the page then says once. */
  readonly isAllUnlimited: boolean;
  readonly children?: ReactNode;
  /** The elapsed part of the month, from 0 to 1. */
  readonly elapsed?: number;
}

function Counter({
  name,
  counter: { used, limit },
  format,
  hint,
  isWide,
  isAllUnlimited,
  elapsed,
  children,
}: CounterProps) {
  const t = useTexts();
  const limitText = limit !== null ? t.usage.of(format(limit)) : isAllUnlimited ? undefined : t.usage.unlimited;
  const share = limit === null ? undefined : used / Math.max(limit, 1);
  const level = share === undefined ? 'none' : share >= 1 ? 'bad' : share > 0.8 ? 'warn' : 'good';
  return (
    <section className="card counter" data-wide={isWide}>
      <h2>{name}</h2>
      <p className="counter-value">
        <strong>{format(used)}</strong> {limitText !== undefined && <span>{limitText}</span>}
      </p>
      {limit !== null && (
        <div className="counter-bar">
          <meter aria-label={name} min={0} max={limit} value={Math.min(used, limit)} data-level={level} />
          {elapsed !== undefined && <Marker share={elapsed} />}
        </div>
      )}
      {hint && <p className="hint">{hint}</p>}
      {children}
    </section>
  );
}

/** Marks today's position in the month. */
const Marker = ({ share }: { share: number }) => (
  <i className="counter-marker" style={{ insetInlineStart: `${share * 100}%` }} />
);

/** Requests and errors of a project: today, yesterday, and the last 30 days. */
import type { RequestFiguresBody } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { DailyChart } from '../account/daily-chart.tsx';
import { countErrors } from '../api/failures.ts';
import { figuresQuery } from '../api/queries.ts';
import type { StateKey } from '../api/state.ts';
import { formatNumber, textsOf, useTexts } from '../texts/index.ts';
import { Loaded } from '../ui/loaded.tsx';

const [useOverviewTexts] = textsOf('overview');

type Sums = Pick<RequestFiguresBody, 'requests' | 'errors'>;

const nothing: Sums = { requests: 0, errors: [] };

export function ProjectRequests({ stateKey: { accountId, slug } }: { stateKey: StateKey }) {
  const ot = useOverviewTexts();
  const figures = useQuery(figuresQuery(accountId, { project: slug }));
  return (
    <section className="card overview-requests">
      <div className="card-bar">
        <h2>
          {ot.requests} <span className="badge">{ot.allEnvironments}</span>
        </h2>
        <Link to="/usage" search={{ project: slug }}>
          {ot.details}
        </Link>
      </div>
      <p className="hint">{ot.requestsHint}</p>
      <Loaded query={figures} rows={4}>
        {(found) => <Figures figures={found} slug={slug} />}
      </Loaded>
    </section>
  );
}

function Figures({ figures, slug }: { figures: RequestFiguresBody; slug: string }) {
  const t = useTexts();
  const ot = useOverviewTexts();
  const { daily, openStreams } = figures;
  const open = openStreams.find(({ projectSlug }) => projectSlug === slug);
  const [configuration, saves] = [open?.publicState ?? 0, open?.userState ?? 0];
  return (
    <>
      <dl className="overview-figures">
        <Figure name={ot.today} sums={daily.at(-1) ?? nothing} />
        <Figure name={ot.yesterday} sums={daily.at(-2) ?? nothing} />
        <Figure name={ot.month} sums={figures} />
        <div>
          <dt>{ot.streams}</dt>
          <dd>
            <strong>{formatNumber(configuration + saves)}</strong>
            <small className="hint">
              {configuration + saves === 0
                ? ot.streamsHint
                : ot.streamsOf(formatNumber(configuration), formatNumber(saves))}
            </small>
          </dd>
        </div>
      </dl>
      <DailyChart
        caption={ot.daily}
        day={t.usage.day}
        parts={[ot.answered, ot.refusedPart, ot.failedPart]}
        tone="outcome"
        days={daily.map(({ start, requests, errors }) => {
          const { refused, failed } = countErrors(errors);
          return { start, values: [requests - refused - failed, refused, failed] };
        })}
      />
    </>
  );
}

function Figure({ name, sums }: { name: string; sums: Sums }) {
  const ot = useOverviewTexts();
  const { refused, failed } = countErrors(sums.errors);
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <strong>{formatNumber(sums.requests)}</strong>
        {(refused > 0 || failed === 0) && (
          <small className="hint">{refused > 0 ? ot.refused(formatNumber(refused)) : ot.noErrors}</small>
        )}
        {failed > 0 && <small className="fault">{ot.failed(formatNumber(failed))}</small>}
      </dd>
    </div>
  );
}

/** Requests, their errors, and current connections. */
import type { RequestFiguresBody } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Activity } from 'lucide-react';
import { countErrors } from '../api/failures.ts';
import { type FigureSearch, figureDays, figuresQuery, projectsQuery } from '../api/queries.ts';
import { useAccountId } from '../api/signed-in.ts';
import { formatNumber, textsOf, useLanguage } from '../texts/index.ts';
import { EmptyState, Field, Segments } from '../ui/controls.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { plain } from '../ui/plain-text.ts';
import { TableFrame, tableRoles } from '../ui/table.tsx';
import { DailyChart, type Day } from './daily-chart.tsx';
import { ProjectName, RequestCallers } from './request-callers.tsx';

const [useRequestFigureTexts] = textsOf('request-figures');

export function RequestFigures() {
  const f = useRequestFigureTexts();
  const accountId = useAccountId();
  const search = useSearch({ from: '/shell/usage' });
  const figures = useQuery(figuresQuery(accountId, search));
  return (
    <section className="figures" aria-labelledby="figures-title">
      <h2 id="figures-title">{f.title}</h2>
      <p className="lead">{f.lead}</p>
      <Filters search={search} />
      <Loaded query={figures} rows={6}>
        {(found) => <Figures figures={found} />}
      </Loaded>
    </section>
  );
}

function Filters({ search }: { search: FigureSearch }) {
  const f = useRequestFigureTexts();
  const navigate = useNavigate();
  const { data: projects = [] } = useQuery(projectsQuery(useAccountId()));
  const go = (next: FigureSearch) => void navigate({ to: '/usage', search: next, resetScroll: false });
  const { days = 30, project } = search;
  return (
    <search className="filters figures-filters">
      <div className="field">
        <span className="label">{f.period}</span>
        <Segments
          label={f.period}
          value={String(days)}
          options={figureDays.map((each) => ({ value: String(each), label: f.days(each) }))}
          onChange={(value) => {
            const chosen = figureDays.find((each) => String(each) === value);
            go({ ...(project && { project }), ...(chosen !== undefined && chosen !== 30 && { days: chosen }) });
          }}
        />
      </div>
      <Field label={f.project}>
        {(attributes) => (
          <select
            {...attributes}
            value={project ?? ''}
            onChange={({ target: { value } }) => go({ ...(search.days && { days }), ...(value && { project: value }) })}
          >
            <option value="">{f.allProjects}</option>
            {projects.map(({ slug, name }) => (
              <option key={slug} value={slug}>
                {plain(name)}
              </option>
            ))}
            {project !== undefined && !projects.some(({ slug }) => slug === project) && (
              <option value={project}>{project}</option>
            )}
          </select>
        )}
      </Field>
    </search>
  );
}

function Figures({ figures }: { figures: RequestFiguresBody }) {
  const f = useRequestFigureTexts();
  const { requests, errors, openStreams } = figures;
  return (
    <>
      <Totals figures={figures} />
      {requests === 0 ? (
        <EmptyState icon={<Activity />} title={f.empty}>
          {f.emptyText}
        </EmptyState>
      ) : (
        <>
          <div className="card">
            {errors.length === 0 ? (
              <p className="hint">{f.noErrorsText}</p>
            ) : (
              <DailyChart tone="errors" caption={f.errorsByDay} day={f.day} {...errorBars(figures, f.otherCodes)} />
            )}
          </div>
          <RequestCallers callers={figures.callers} />
        </>
      )}
      {openStreams.length > 0 && <Connections open={openStreams} />}
    </>
  );
}

function Totals({ figures: { requests, errors, daily, openStreams } }: { figures: RequestFiguresBody }) {
  const f = useRequestFigureTexts();
  const language = useLanguage();
  const { refused, failed } = countErrors(errors);
  const share = percent(language).format((refused + failed) / requests);
  const publicState = openStreams.reduce((sum, each) => sum + each.publicState, 0);
  const userStates = openStreams.reduce((sum, each) => sum + each.userState, 0);
  return (
    <div className="meters">
      <Total name={f.requests} value={requests} hint={f.lastDays(daily.length)} />
      <Total
        name={f.errors}
        value={refused + failed}
        hint={refused + failed === 0 ? f.noErrors : f.errorShare(share, formatNumber(refused), formatNumber(failed))}
      />
      <Total
        name={f.open}
        value={publicState + userStates}
        hint={publicState + userStates === 0 ? f.openHint : f.openOf(formatNumber(publicState), formatNumber(userStates))}
      />
    </div>
  );
}

const percent = (language: string) => new Intl.NumberFormat(language, { style: 'percent', maximumSignificantDigits: 2 });

function Total({ name, value, hint }: { name: string; value: number; hint?: string }) {
  return (
    <section className="card counter">
      <h3>{name}</h3>
      <p className="counter-value">
        <strong>{formatNumber(value)}</strong>
      </p>
      {hint && <p className="hint">{hint}</p>}
    </section>
  );
}

/** Codes with separate colours. */
const codesMax = 4;

/** The errors of each day by code; rare ones are counted together. */
function errorBars({ daily, errors }: RequestFiguresBody, others: string): { parts: string[]; days: Day[] } {
  const shown = errors.slice(0, codesMax).map(({ code }) => code);
  const hasMore = errors.length > codesMax;
  return {
    parts: hasMore ? shown.concat(others) : shown,
    days: daily.map((day) => {
      const of = (code: string) => day.errors.find((each) => each.code === code)?.requests ?? 0;
      const rest = day.errors.filter(({ code }) => !shown.includes(code)).reduce((sum, each) => sum + each.requests, 0);
      return { start: day.start, values: hasMore ? shown.map(of).concat(rest) : shown.map(of) };
    }),
  };
}

function Connections({ open }: { open: RequestFiguresBody['openStreams'] }) {
  const f = useRequestFigureTexts();
  return (
    <div className="figures-table">
      <h3>{f.connections}</h3>
      <TableFrame>
        <table {...tableRoles.table}>
          <thead {...tableRoles.rows}>
            <tr {...tableRoles.row}>
              <th {...tableRoles.head} scope="col">
                {f.project}
              </th>
              <th {...tableRoles.head} scope="col" className="number">
                {f.publicState}
              </th>
              <th {...tableRoles.head} scope="col" className="number">
                {f.saves}
              </th>
            </tr>
          </thead>
          <tbody {...tableRoles.rows}>
            {open.map(({ projectSlug, publicState, userState }) => (
              <tr {...tableRoles.row} key={projectSlug}>
                <th {...tableRoles.name} scope="row">
                  <ProjectName slug={projectSlug} />
                </th>
                <td {...tableRoles.cell} className="number">
                  {formatNumber(publicState)}
                </td>
                <td {...tableRoles.cell} className="number">
                  {formatNumber(userState)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
    </div>
  );
}

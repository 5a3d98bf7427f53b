/** Callers, with project and number of errors. */
import type { RequestFiguresBody } from '@holdfast/contract';
import { useFigureTexts } from '../texts/figures.ts';
import { formatNumber } from '../texts/index.ts';
import { Plain } from '../ui/plain.tsx';

type Caller = RequestFiguresBody['callers'][number];

export function RequestCallers({ callers }: { callers: readonly Caller[] }) {
  const t = useFigureTexts();
  return (
    <div className="figures-table">
      <h3>{t.callers}</h3>
      <div className="table-frame">
        <table>
          <thead>
            <tr>
              <th scope="col">{t.caller}</th>
              <th scope="col">{t.project}</th>
              <th scope="col" className="number">
                {t.requests}
              </th>
              <th scope="col" className="number">
                {t.errors}
              </th>
              <th scope="col">{t.mostFrequent}</th>
            </tr>
          </thead>
          <tbody>
            {callers.map((caller) => (
              <CallerRow key={`${caller.projectSlug} ${caller.kind} ${caller.id}`} caller={caller} />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function CallerRow({ caller }: { caller: Caller }) {
  const t = useFigureTexts();
  const { projectSlug, kind, id, name, requests, errors } = caller;
  const failed = errors.reduce((sum, each) => sum + each.requests, 0);
  const [first] = errors;
  const isGone = id !== null && name === null;
  return (
    <tr>
      <th scope="row">
        {id === null ? t.kinds[kind] : <Plain>{name ?? id}</Plain>}
        {id !== null && <small className="hint">{isGone ? t.gone(t.kinds[kind]) : t.kinds[kind]}</small>}
      </th>
      <td data-label={t.project}>{projectSlug === null ? t.noProject : <code>{projectSlug}</code>}</td>
      <td className="number" data-label={t.requests}>
        {formatNumber(requests)}
      </td>
      <td className="number" data-label={t.errors}>
        {formatNumber(failed)}
      </td>
      <td data-label={t.mostFrequent}>{first === undefined ? '–' : <code>{first.code}</code>}</td>
    </tr>
  );
}

/** Callers, with project and number of errors. */
import type { RequestFiguresBody } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { projectsQuery } from '../api/queries.ts';
import { useAccountId } from '../api/signed-in.ts';
import { formatNumber, textsOf } from '../texts/index.ts';
import { Plain } from '../ui/plain.tsx';
import { Below, TableFrame, tableRoles } from '../ui/table.tsx';

const [useRequestFigureTexts] = textsOf('request-figures');

type Caller = RequestFiguresBody['callers'][number];

export function RequestCallers({ callers }: { callers: readonly Caller[] }) {
  const f = useRequestFigureTexts();
  return (
    <div className="figures-table">
      <h3>{f.callers}</h3>
      <TableFrame>
        <table {...tableRoles.table}>
          <thead {...tableRoles.rows}>
            <tr {...tableRoles.row}>
              <th {...tableRoles.head} scope="col">
                {f.caller}
              </th>
              <th {...tableRoles.head} scope="col">
                {f.project}
              </th>
              <th {...tableRoles.head} scope="col" className="number">
                {f.requests}
              </th>
              <th {...tableRoles.head} scope="col" className="number">
                {f.errors}
              </th>
              <th {...tableRoles.head} scope="col">
                {f.mostFrequent}
              </th>
            </tr>
          </thead>
          <tbody {...tableRoles.rows}>
            {callers.map((caller) => (
              <CallerRow key={`${caller.projectSlug} ${caller.kind} ${caller.id}`} caller={caller} />
            ))}
          </tbody>
        </table>
      </TableFrame>
    </div>
  );
}

/** The name of a project above its slug; the slug alone once the project is gone. */
export function ProjectName({ slug }: { slug: string }) {
  const { data: projects } = useQuery(projectsQuery(useAccountId()));
  const name = projects?.find((project) => project.slug === slug)?.name;
  if (name === undefined || name === slug) return <code>{slug}</code>;
  return (
    <>
      <Plain>{name}</Plain>
      <Below>
        <code>{slug}</code>
      </Below>
    </>
  );
}

function CallerRow({ caller }: { caller: Caller }) {
  const f = useRequestFigureTexts();
  const { projectSlug, kind, id, name, requests, errors } = caller;
  const failed = errors.reduce((sum, each) => sum + each.requests, 0);
  const [first] = errors;
  const isGone = id !== null && name === null;
  return (
    <tr {...tableRoles.row}>
      <th {...tableRoles.name} scope="row">
        {id === null ? f.kinds[kind] : <Plain>{name ?? id}</Plain>}
        {id !== null && <small className="hint">{isGone ? f.gone(f.kinds[kind]) : f.kinds[kind]}</small>}
      </th>
      <td {...tableRoles.cell} data-label={f.project}>
        {projectSlug === null ? f.noProject : <ProjectName slug={projectSlug} />}
      </td>
      <td {...tableRoles.cell} className="number" data-label={f.requests}>
        {formatNumber(requests)}
      </td>
      <td {...tableRoles.cell} className="number" data-label={f.errors}>
        {formatNumber(failed)}
      </td>
      <td {...tableRoles.cell} data-label={f.mostFrequent}>
        {first === undefined ? '–' : <code>{first.code}</code>}
      </td>
    </tr>
  );
}

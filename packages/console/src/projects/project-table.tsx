/** Many projects: a row for each, in narrow windows a block. */
import type { ProjectBody } from '@holdfast/contract';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { lastEnvironment } from '../api/environments.ts';
import { formatDate, useTexts } from '../texts/index.ts';
import { atRest, useSeen } from '../ui/in-view.ts';
import { Plain } from '../ui/plain.tsx';
import { plain } from '../ui/plain-text.ts';
import { ProjectMark } from '../ui/project-mark.tsx';
import { RowMenu } from '../ui/row-menu.tsx';
import { Ago, Below, TableFrame, tableRoles } from '../ui/table.tsx';
import { ProjectLinks } from './project-card.tsx';
import { shortcuts, useProjectFacts } from './project-facts.ts';

export function ProjectTable({ projects }: { projects: readonly ProjectBody[] }) {
  const t = useTexts();
  const { title, lastChange } = t.projects;
  return (
    <TableFrame>
      <table {...tableRoles.table} aria-label={title}>
        <thead {...tableRoles.rows}>
          <tr {...tableRoles.row}>
            <th {...tableRoles.head} scope="col">
              {t.projects.name}
            </th>
            <th {...tableRoles.head} scope="col">
              {lastChange}
            </th>
            <th {...tableRoles.head} scope="col">
              {t.environments.production}
            </th>
            <th {...tableRoles.head} scope="col" className="number" data-least="true">
              {t.nav.players}
            </th>
            <th {...tableRoles.head} scope="col" className="actions">
              <span className="hidden-text">{t.palette.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody {...tableRoles.rows}>
          {projects.map((project) => (
            <ProjectRow key={project.slug} project={project} />
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}

function ProjectRow({ project }: { project: ProjectBody }) {
  const t = useTexts();
  const navigate = useNavigate();
  const [isSeen, setSeen] = useState(false);
  const place = useSeen<HTMLTableRowElement>(() => setSeen(true), atRest);
  const { isKnown, changedAt, production, players } = useProjectFacts(project, isSeen);
  const { slug, name } = project;
  const params = { slug, env: lastEnvironment() };
  const { lastChange: changed } = t.projects;
  return (
    <tr {...tableRoles.row} ref={place}>
      <th {...tableRoles.name} scope="row">
        <span className="project-title">
          <ProjectMark project={project} name={name} isSeen={isSeen} />
          <span>
            <Link to="/p/$slug/$env/overview" params={params}>
              <Plain>{name}</Plain>
            </Link>
            <Below>
              <code>{slug}</code>
            </Below>
          </span>
        </span>
      </th>
      <td {...tableRoles.cell} className="project-fact" data-label={changedAt && changed}>
        {changedAt !== undefined ? (
          <Ago time={changedAt} />
        ) : (
          isKnown && <span className="hint">{t.projects.created(formatDate(project.createdAt))}</span>
        )}
      </td>
      <td
        {...tableRoles.cell}
        className="project-fact"
        data-label={t.environments.production}
        data-empty={production === null || undefined}
      >
        {production === null ? '–' : production !== undefined && t.common.version(production)}
      </td>
      <td {...tableRoles.cell} className="number" data-label={t.nav.players} data-least="true">
        {players ?? '–'}
      </td>
      <td {...tableRoles.cell} className="actions project-actions">
        <ProjectLinks project={project} className="row-links" />
        <RowMenu
          label={plain(`${t.palette.actions}: ${name}`)}
          actions={shortcuts.map(({ to, name: nameOf }) => ({
            label: nameOf(t),
            run: () => void navigate({ to, params }),
          }))}
        />
      </td>
    </tr>
  );
}

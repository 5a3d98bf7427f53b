/** A project in a card: name, last change, version in production, and number of players. */
import type { ProjectBody } from '@holdfast/contract';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { lastEnvironment } from '../api/environments.ts';
import { formatAgo, formatDate, formatTime, useTexts } from '../texts/index.ts';
import { atRest, useSeen } from '../ui/in-view.ts';
import { Plain } from '../ui/plain.tsx';
import { plain } from '../ui/plain-text.ts';
import { ProjectMark } from '../ui/project-mark.tsx';
import { shortcuts, useProjectFacts } from './project-facts.ts';

export function ProjectCard({ project }: { project: ProjectBody }) {
  const { slug, name } = project;
  const [isSeen, setSeen] = useState(false);
  const place = useSeen<HTMLLIElement>(() => setSeen(true), atRest);
  const params = { slug, env: lastEnvironment() };
  return (
    <li ref={place} className="card project-card">
      <ProjectMark project={project} name={name} isSeen={isSeen} />
      <div className="card-text">
        <Link className="card-title" to="/p/$slug/$env/overview" params={params}>
          <Plain>{name}</Plain>
        </Link>
        <Overview project={project} isSeen={isSeen} />
      </div>
      <ProjectLinks project={project} className="card-links" />
    </li>
  );
}

/** Links to the pages that most visits are for. */
export function ProjectLinks({ project: { slug, name }, className }: { project: ProjectBody; className: string }) {
  const t = useTexts();
  const params = { slug, env: lastEnvironment() };
  return (
    <nav className={className} aria-label={plain(name)}>
      {shortcuts.map(({ to, name: nameOf }) => (
        <Link key={to} to={to} params={params}>
          {nameOf(t)}
        </Link>
      ))}
    </nav>
  );
}

function Overview({ project, isSeen }: { project: ProjectBody; isSeen: boolean }) {
  const t = useTexts();
  const { isKnown, changedAt, production, players } = useProjectFacts(project, isSeen);
  return (
    <>
      <div className="card-place">
        <code className="cut">{project.slug}</code>
        {players !== undefined && <small>{t.projects.players(players)}</small>}
      </div>
      <small className="card-facts" data-pending={!isKnown || undefined}>
        {isKnown && (
          <span title={changedAt && formatTime(changedAt)}>
            {changedAt === undefined
              ? t.projects.created(formatDate(project.createdAt))
              : t.projects.changed(formatAgo(changedAt))}
          </span>
        )}
        {production !== undefined && (
          <span>{production === null ? t.projects.notInProduction : t.projects.inProduction(production)}</span>
        )}
      </small>
    </>
  );
}

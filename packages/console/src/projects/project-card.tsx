/** A project: name, last change, version in production, and number of players. */
import type { ProjectBody } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { lastEnvironment } from '../api/environments.ts';
import { playerCountQuery } from '../api/players.ts';
import { headQuery } from '../api/queries.ts';
import { formatAgo, formatDate, formatNumber, formatTime, type Texts, useTexts } from '../texts/index.ts';
import { Plain } from '../ui/plain.tsx';
import { plain } from '../ui/plain-text.ts';
import { ProjectMark } from '../ui/project-mark.tsx';

/** The pages that most visits are for. */
const shortcuts = [
  { to: '/p/$slug/$env/state', name: (t: Texts) => t.nav.state },
  { to: '/p/$slug/$env/flags', name: (t: Texts) => t.nav.flags },
  { to: '/p/$slug/$env/players', name: (t: Texts) => t.nav.players },
  { to: '/p/$slug/environments', name: (t: Texts) => t.nav.environments },
] as const;

export function ProjectCard({ project }: { project: ProjectBody }) {
  const { slug, name } = project;
  const place = useRef<HTMLLIElement>(null);
  const isSeen = useSeen(place);
  const t = useTexts();
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
      <nav className="card-links" aria-label={plain(name)}>
        {shortcuts.map(({ to, name: nameOf }) => (
          <Link key={to} to={to} params={params}>
            {nameOf(t)}
          </Link>
        ))}
      </nav>
    </li>
  );
}

/** Read once the card has been visible. */
function Overview({ project, isSeen: enabled }: { project: ProjectBody; isSeen: boolean }) {
  const t = useTexts();
  const { data: development } = useQuery({ ...headQuery({ ...project, env: 'development' }), enabled, staleTime: 60_000 });
  const { data: production } = useQuery({ ...headQuery({ ...project, env: 'production' }), enabled, staleTime: 60_000 });
  const { data: players } = useQuery({ ...playerCountQuery(project), enabled });
  const isKnown = development !== undefined && production !== undefined;
  const changes = [development?.createdAt, production?.createdAt].filter((time) => time !== undefined).sort();
  const changedAt = changes.at(-1);
  const count = players && `${formatNumber(players.count)}${players.isExact ? '' : '+'}`;
  return (
    <>
      <div className="card-place">
        <code className="cut">{project.slug}</code>
        {count != null && count !== '0' && <small>{t.projects.players(count)}</small>}
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
          <span>{production === null ? t.projects.notInProduction : t.projects.inProduction(production.version)}</span>
        )}
      </small>
    </>
  );
}

/** How long a card must be visible before its data is read, so that scrolling past costs nothing. */
const hoverMs = 150;

/** Whether an element was visible for a moment. */
function useSeen(place: { readonly current: HTMLElement | null }): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (place.current === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new IntersectionObserver((entries) => {
      clearTimeout(timer);
      if (entries.at(-1)?.isIntersecting !== true) return;
      timer = setTimeout(() => {
        setSeen(true);
        observer.disconnect();
      }, hoverMs);
    });
    observer.observe(place.current);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [place]);
  return isSeen;
}

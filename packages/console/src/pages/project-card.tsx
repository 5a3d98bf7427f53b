/** A project: name, last change, version in production, and number of players. */
import type { ProjectBody } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { lastEnvironment } from '../api/environments.ts';
import { playerCountQuery } from '../api/players.ts';
import { headQuery } from '../api/queries.ts';
import { formatAgo, formatDate, formatNumber, formatTime, useTexts } from '../texts/index.ts';
import { Plain } from '../ui/plain.tsx';
import { ProjectMark } from '../ui/project-mark.tsx';

export function ProjectCard({ project }: { project: ProjectBody }) {
  const { slug, name } = project;
  const place = useRef<HTMLLIElement>(null);
  const isSeen = useSeen(place);
  return (
    <li ref={place}>
      <Link className="card card-link" to="/p/$slug/$env/overview" params={{ slug, env: lastEnvironment() }}>
        <ProjectMark project={project} name={name} isSeen={isSeen} />
        <span className="card-text">
          <b>
            <Plain>{name}</Plain>
          </b>
          <code className="cut">{slug}</code>
          <Overview project={project} isSeen={isSeen} />
        </span>
        <ChevronRight aria-hidden="true" />
      </Link>
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
      <small title={changedAt && formatTime(changedAt)} data-pending={!isKnown || undefined}>
        {!isKnown && ' '}
        {isKnown &&
          (changedAt === undefined
            ? t.projects.created(formatDate(project.createdAt))
            : t.projects.changed(formatAgo(changedAt)))}
      </small>
      <small className="card-facts" data-pending={!isKnown || undefined}>
        {production !== undefined && (
          <span>{production === null ? t.projects.notInProduction : t.projects.inProduction(production.version)}</span>
        )}
        {count != null && <span>{t.projects.players(count)}</span>}
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

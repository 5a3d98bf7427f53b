/** What lists of projects show of each, and the pages that they lead to. */
import type { ProjectBody } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { playerCountQuery } from '../api/players.ts';
import { headQuery } from '../api/queries.ts';
import { formatNumber, type Texts } from '../texts/index.ts';

/** The pages that most visits are for. */
export const shortcuts = [
  { to: '/p/$slug/$env/state', name: (t: Texts) => t.nav.state },
  { to: '/p/$slug/$env/flags', name: (t: Texts) => t.nav.flags },
  { to: '/p/$slug/$env/players', name: (t: Texts) => t.nav.players },
  { to: '/p/$slug/environments', name: (t: Texts) => t.nav.environments },
] as const;

interface ProjectFacts {
  readonly isKnown: boolean;
  /** The last change of development or production; undefined if none, or not known yet. */
  readonly changedAt: string | undefined;
  /** The version in production; null if none. */
  readonly production: number | null | undefined;
  /** Undefined if none, or not known. */
  readonly players: string | undefined;
}

/** Returns what is known of a project, which is read once it has been visible. */
export function useProjectFacts(project: ProjectBody, enabled: boolean): ProjectFacts {
  const { data: development } = useQuery({ ...headQuery({ ...project, env: 'development' }), enabled, staleTime: 60_000 });
  const { data: production } = useQuery({ ...headQuery({ ...project, env: 'production' }), enabled, staleTime: 60_000 });
  const { data: players } = useQuery({ ...playerCountQuery(project), enabled });
  const changes = [development?.createdAt, production?.createdAt].filter((time) => time !== undefined).sort();
  const count = players == null || players.count === 0 ? undefined : formatNumber(players.count);
  return {
    isKnown: development !== undefined && production !== undefined,
    changedAt: changes.at(-1),
    production: production === null ? null : production?.version,
    players: count && `${count}${players?.isExact ? '' : '+'}`,
  };
}

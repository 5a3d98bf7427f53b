/** The order of projects: those last opened in this browser, then those with the most requests. */
import type { ProjectBody } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { figuresQuery, projectsQuery } from './queries.ts';
import { recentFirst, recentProjects } from './recent-projects.ts';

/** Returns the projects of an account; none until they are loaded. Without figures, the newest come last. */
export function useProjectsByUse(accountId: string): readonly ProjectBody[] {
  const { data: projects } = useQuery(projectsQuery(accountId));
  const { data: figures } = useQuery({ ...figuresQuery(accountId, {}), refetchInterval: false, staleTime: 60_000 });
  return useMemo(() => {
    const requests = new Map<string | null, number>();
    for (const { projectSlug, requests: count } of figures?.callers ?? []) {
      requests.set(projectSlug, (requests.get(projectSlug) ?? 0) + count);
    }
    const of = ({ slug }: ProjectBody) => requests.get(slug) ?? 0;
    const byUse = (projects ?? []).toSorted((one, other) => of(other) - of(one));
    return recentFirst(byUse, recentProjects(accountId));
  }, [projects, figures, accountId]);
}

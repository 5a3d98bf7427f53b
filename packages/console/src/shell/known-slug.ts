/** The project in the address, unless the account has none of this name. */
import { useQuery } from '@tanstack/react-query';
import { useMatches, useParams } from '@tanstack/react-router';
import { projectsQuery } from '../api/queries.ts';
import { lastOpened } from '../api/recent-projects.ts';
import { useAccountId } from '../api/signed-in.ts';

export function useKnownSlug(): string | undefined {
  const { slug } = useParams({ strict: false });
  const { data: projects } = useQuery(projectsQuery(useAccountId()));
  const isKnown = projects === undefined || projects.some((project) => project.slug === slug);
  return isKnown ? slug : undefined;
}

/** The project in the sidebar: that of the page, or on pages of the account the one last opened, so that its links stay in their place. */
export function useSidebarSlug(): string | undefined {
  const accountId = useAccountId();
  const known = useKnownSlug();
  const { slug } = useParams({ strict: false });
  const isList = useMatches().at(-1)?.fullPath === '/';
  const { data: projects } = useQuery(projectsQuery(accountId));
  if (known !== undefined || slug !== undefined || isList) return known;
  return lastOpened(accountId, projects);
}

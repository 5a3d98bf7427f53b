/** The project in the address, unless the account has none of this name. */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { projectsQuery } from '../api/queries.ts';
import { useAccountId } from '../api/signed-in.ts';

export function useKnownSlug(): string | undefined {
  const { slug } = useParams({ strict: false });
  const { data: projects } = useQuery(projectsQuery(useAccountId()));
  const isKnown = projects === undefined || projects.some((project) => project.slug === slug);
  return isKnown ? slug : undefined;
}

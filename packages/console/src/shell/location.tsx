/** The project and environment of a page, above it in narrow windows. */
import type { Environment } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { projectsQuery } from '../api/queries.ts';
import { useAccountId } from '../api/signed-in.ts';
import { usePageEnvironment } from '../page/route-params.ts';
import { useTexts } from '../texts/index.ts';
import { EnvironmentName } from '../ui/controls.tsx';
import { Plain } from '../ui/plain.tsx';
import { useKnownSlug } from './known-slug.ts';
import { SessionHolder } from './session-holder.tsx';

/** Outside of projects, the account and the developer. */
export function Location() {
  const slug = useKnownSlug();
  const env = usePageEnvironment();
  return slug === undefined ? <SessionHolder /> : <ProjectLines slug={slug} env={env} />;
}

function ProjectLines({ slug, env }: { slug: string; env: Environment | undefined }) {
  const t = useTexts();
  const { data: projects = [] } = useQuery(projectsQuery(useAccountId()));
  return (
    <span className="session-holder topbar-project">
      <b className="cut">
        <Plain>{projects.find((project) => project.slug === slug)?.name ?? slug}</Plain>
      </b>
      <span className="cut">{env === undefined ? t.nav.allEnvironments : <EnvironmentName env={env} />}</span>
    </span>
  );
}

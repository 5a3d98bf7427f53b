/** The current location, from the address. */
import type { Environment } from '@holdfast/contract';
import { useMatches, useParams } from '@tanstack/react-router';
import { useMemo, useSyncExternalStore } from 'react';
import { environmentOf, lastEnvironment, onEnvironment } from '../api/environments.ts';
import type { ProjectKey } from '../api/queries.ts';
import { useAccountId } from '../api/signed-in.ts';
import type { StateKey } from '../api/state.ts';

/** The environment in the address, otherwise the last one shown. */
export function useEnvironment(): Environment {
  const { env } = useParams({ strict: false });
  const last = useSyncExternalStore(onEnvironment, lastEnvironment);
  return env === undefined ? last : environmentOf(env);
}

/** The lists of players and proposals are those of the project, although the address names an environment. */
const exceptions = ['/p/$slug/$env/players', '/p/$slug/$env/proposals'];

/** The environment whose content the page shows; undefined if it concerns all of them. */
export function usePageEnvironment(): Environment | undefined {
  const { env } = useParams({ strict: false });
  const isException = exceptions.includes(useMatches().at(-1)?.fullPath ?? '');
  const shown = useEnvironment();
  return env === undefined || isException ? undefined : shown;
}

/** The project of a page about a project. */
export function useProject(): ProjectKey {
  const accountId = useAccountId();
  const { slug = '' } = useParams({ strict: false });
  return useMemo(() => ({ accountId, slug }), [accountId, slug]);
}

/** The document of a page about an environment. */
export function useStateKey(): StateKey {
  const project = useProject();
  const env = useEnvironment();
  return useMemo(() => ({ ...project, env }), [project, env]);
}

/** The player in the address, and the schema of the saves. */
import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { PlayerKey } from '../api/players.ts';
import type { SchemaKey } from '../api/schemas.ts';
import type { StateKey } from '../api/state.ts';
import { useProject } from '../page/route-params.ts';

export function usePlayerKey(): PlayerKey {
  const project = useProject();
  const { playerId = '' } = useParams({ strict: false });
  return useMemo(() => ({ ...project, endUserId: playerId }), [project, playerId]);
}

/** The schema of the saves in an environment. */
export const saveSchemaKey = ({ accountId, slug, env }: StateKey): SchemaKey => ({
  accountId,
  slug,
  env,
  kind: 'user-state',
});

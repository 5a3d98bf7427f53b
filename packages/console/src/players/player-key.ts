/** The player in the address. */
import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { PlayerKey } from '../api/players.ts';
import { useProject } from '../page/route-params.ts';

export function usePlayerKey(): PlayerKey {
  const project = useProject();
  const { playerId = '' } = useParams({ strict: false });
  return useMemo(() => ({ ...project, endUserId: playerId }), [project, playerId]);
}

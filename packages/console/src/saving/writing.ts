/**
 * Whether the user may write a document or its schema, and what that requires. The service decides; pages say it before anybody types.
 * Whoever may not write public state, or needs approvals, proposes changes.
 */
import { type Power, reachesProtected } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { may, useAuthority } from '../api/authority.ts';
import { projectsQuery } from '../api/queries.ts';
import type { StateKey } from '../api/state.ts';

export interface Writing {
  /** False while unknown: the service then decides. */
  readonly isForbidden: boolean;
  readonly isProtected: boolean;
  /** How many people must approve a change to public state. */
  readonly requiredApprovals: number;
  /** Whether changes to public state can only be proposed. */
  readonly isProposed: boolean;
  /** Whether a version may be saved, or a change proposed, with this comment. */
  readonly takes: (comment: string) => boolean;
}

export function useWriting({ accountId, slug, env }: StateKey, power: Power = 'write_state'): Writing {
  const own = useAuthority();
  const { data: projects = [] } = useQuery(projectsQuery(accountId));
  const project = projects.find((one) => one.slug === slug);
  const isProtected = project?.protectedEnvironments.includes(env) === true;
  const requiredApprovals = project?.requiredApprovals[env] ?? 0;
  const isReached =
    own === undefined || (may(own, power, env) && (!isProtected || reachesProtected(own, power, env, false)));
  const isProposed = power === 'write_state' && (!isReached || requiredApprovals > 0);
  return {
    isForbidden: !isReached,
    isProtected,
    requiredApprovals,
    isProposed,
    takes: (comment) => isProposed || !isProtected || comment.trim() !== '',
  };
}

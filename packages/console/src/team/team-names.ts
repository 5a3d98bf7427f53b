/** Names of members. */
import { useOwnMember } from '../api/authority.ts';
import type { Member } from '../api/team.ts';

/** Returns a member's best known name. */
export const nameOf = ({ name, email, memberId }: Member): string => name ?? email ?? memberId;

/** Returns whether a member is the signed-in developer. */
export function useIsYou(): (member: Pick<Member, 'memberId'> | undefined) => boolean {
  const own = useOwnMember();
  return (member) => own !== undefined && own.memberId === member?.memberId;
}

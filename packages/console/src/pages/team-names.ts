/** Members as pages name them. */
import { useOwnMember } from '../api/authority.ts';
import type { Member } from '../api/team.ts';

/** What a member is called: the best that is known. */
export const nameOf = ({ name, email, memberId }: Member): string => name ?? email ?? memberId;

/** Returns whether a member is the developer who is signed in. */
export function useIsYou(): (member: Pick<Member, 'memberId'> | undefined) => boolean {
  const own = useOwnMember();
  return (member) => own !== undefined && own.memberId === member?.memberId;
}

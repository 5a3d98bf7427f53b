/** Members as pages name them. */
import type { Member } from '../api/team.ts';
import { useSession } from '../shell/session.tsx';

/** What a member is called: the best that is known. */
export const nameOf = ({ name, email, memberId }: Member): string => name ?? email ?? memberId;

/** Whether a member is who is signed in, as far as the address says so. */
export function useIsYou(member: Pick<Member, 'email'> | undefined): boolean {
  const state = useSession();
  return state.kind !== 'signed_out' && member?.email != null && state.email === member.email;
}

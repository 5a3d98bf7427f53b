/** Ends a membership: another member's, or one's own. */
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../api/http.ts';
import { signOut } from '../api/session.ts';
import { type Member, membersQuery } from '../api/team.ts';
import { useTexts } from '../texts/index.ts';
import { Confirm } from '../ui/dialog.tsx';
import { toast } from '../ui/toasts.tsx';
import { nameOf, useIsYou } from './team-names.ts';

interface RemoveMemberProps {
  readonly accountId: string;
  readonly member: Member | undefined;
  readonly onClose: () => void;
}

export function RemoveMember({ accountId, member, onClose }: RemoveMemberProps) {
  const t = useTexts();
  const queries = useQueryClient();
  const isYou = useIsYou()(member);
  const name = member === undefined ? '' : nameOf(member);
  return (
    <Confirm
      isOpen={member !== undefined}
      onClose={onClose}
      title={isYou ? t.team.leaveTitle : t.team.removeTitle(name)}
      text={isYou ? t.team.leaveText : t.team.removeText}
      action={isYou ? t.team.leave : t.team.remove}
      onConfirm={async () => {
        await call('deleteMember', { params: { accountId, memberId: member?.memberId ?? '' } });
        if (isYou) return signOut();
        await queries.invalidateQueries(membersQuery(accountId));
        toast(t.team.removed);
      }}
    />
  );
}

/** Ends a membership: another member's, or one's own. */
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../api/http.ts';
import { signOut } from '../api/session.ts';
import { type Member, membersQuery } from '../api/team.ts';
import { useTexts } from '../texts/index.ts';
import { useLimitTexts } from '../texts/limits.ts';
import { Button } from '../ui/controls.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { toast } from '../ui/toasts.tsx';
import { nameOf, useIsYou } from './team-names.ts';

interface RemoveMemberProps {
  readonly accountId: string;
  readonly members: readonly Member[];
  readonly member: Member | undefined;
  readonly onClose: () => void;
}

export function RemoveMember({ accountId, members, member, onClose }: RemoveMemberProps) {
  const t = useTexts();
  const l = useLimitTexts();
  const queries = useQueryClient();
  const isYou = useIsYou()(member);
  const name = member === undefined ? '' : nameOf(member);
  const isLastOwner = member?.role === 'owner' && members.filter(({ role }) => role === 'owner').length === 1;
  if (isLastOwner) {
    return (
      <Dialog
        isOpen
        onClose={onClose}
        title={isYou ? t.team.leaveTitle : t.team.removeTitle(name)}
        text={l.lastOwner(name)}
        actions={<Button onClick={onClose}>{t.common.close}</Button>}
      />
    );
  }
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

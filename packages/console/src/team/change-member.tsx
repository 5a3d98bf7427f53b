/** Changes a member's role. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Authority, type Given, grantableRoles, type MemberRole } from '../api/authority.ts';
import { call } from '../api/http.ts';
import { accountsQuery, type Member, membersQuery } from '../api/team.ts';
import { useTexts } from '../texts/index.ts';
import { useAction } from '../ui/action.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Fault } from '../ui/fault.tsx';
import { Form, FormEnd } from '../ui/form.tsx';
import { toast } from '../ui/toasts.tsx';
import { undo } from '../ui/undo.ts';
import { AuthorityFields } from './authority.tsx';
import { nameOf } from './team-names.ts';

interface ChangeMemberProps {
  readonly accountId: string;
  readonly own: Authority;
  readonly member: Member;
  readonly onClose: () => void;
}

const placesOf = ({ environments }: Given<MemberRole>) => environments && [...environments].sort().join();

export function ChangeMember({ accountId, own, member, onClose }: ChangeMemberProps) {
  const t = useTexts();
  const queries = useQueryClient();
  const [authority, setAuthority] = useState<Given<MemberRole>>({ role: member.role, environments: member.environments });
  const isChanged = authority.role !== member.role || placesOf(authority) !== placesOf(member);
  const isReady = isChanged && (authority.environments === null || authority.environments.length > 0);
  const give = async (body: Given<MemberRole>) => {
    await call('patchMember', { params: { accountId, memberId: member.memberId }, body });
    await Promise.all([queries.invalidateQueries(membersQuery(accountId)), queries.invalidateQueries(accountsQuery)]);
    return t.team.changed;
  };
  const change = useAction(async () => {
    if (!isReady) return;
    const { role, environments } = member;
    toast(await give(authority), { action: undo(() => give({ role, environments })) });
    onClose();
  });
  return (
    <Dialog isOpen onClose={onClose} title={t.team.changeTitle(nameOf(member))}>
      <Form action={change}>
        <AuthorityFields
          roles={grantableRoles(own)}
          value={authority}
          onChange={setAuthority}
          {...(own.environments && { offered: own.environments })}
        />
        <Fault error={change.fault} />
        <FormEnd action={change} label={t.common.save} isReady={isReady} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

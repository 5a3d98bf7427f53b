/** The members of the account, and open invitations. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { grantableRoles, may, type Role, useAuthority } from '../api/authority.ts';
import { call } from '../api/http.ts';
import { useAccountId } from '../api/signed-in.ts';
import { type Invitation, invitationsQuery, type Member, membersQuery } from '../api/team.ts';
import { formatTime, textsOf, useTexts } from '../texts/index.ts';
import { Button } from '../ui/controls.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Address, Plain } from '../ui/plain.tsx';
import { plain } from '../ui/plain-text.ts';
import { RowMenu } from '../ui/row-menu.tsx';
import { Ago, Below, On, Table } from '../ui/table.tsx';
import { toast } from '../ui/toasts.tsx';
import { AuthorityBadges } from './authority.tsx';
import { ChangeMember } from './change-member.tsx';
import { Invite } from './invite.tsx';
import { RemoveMember } from './remove-member.tsx';
import { nameOf, useIsYou } from './team-names.ts';
import './team.css';

const [useRoleLimitTexts] = textsOf('role-limits');

export function TeamPage() {
  const t = useTexts();
  const accountId = useAccountId();
  const own = useAuthority();
  const { invite } = useSearch({ from: '/shell/team' });
  const navigate = useNavigate();
  const members = useQuery(membersQuery(accountId));
  const [changing, setChanging] = useState<Member>();
  const [removing, setRemoving] = useState<Member>();
  const show = (isOpen: boolean) =>
    void navigate({ to: '/team', search: isOpen ? { invite: true } : {}, replace: !isOpen });
  const grantable: readonly Role[] = own !== undefined && may(own, 'manage_access') ? grantableRoles(own) : [];
  const isManager = grantable.length > 0;
  return (
    <div className="page team-page">
      <PageHeader title={t.team.title} lead={t.team.lead}>
        {isManager && (
          <Button kind="primary" icon={<UserPlus />} onClick={() => show(true)}>
            {t.team.invite}
          </Button>
        )}
      </PageHeader>
      <Loaded query={members} rows={4}>
        {(all) =>
          all.length === 0 ? (
            <p className="hint">{t.team.nobody}</p>
          ) : (
            <Members
              members={all}
              isManaged={({ role }) => grantable.includes(role)}
              onChange={setChanging}
              onRemove={setRemoving}
            />
          )
        }
      </Loaded>
      {isManager && <OpenInvitations accountId={accountId} />}
      {invite && own !== undefined && isManager && <Invite accountId={accountId} own={own} onClose={() => show(false)} />}
      {changing && own !== undefined && (
        <ChangeMember accountId={accountId} own={own} member={changing} onClose={() => setChanging(undefined)} />
      )}
      <RemoveMember accountId={accountId} member={removing} onClose={() => setRemoving(undefined)} />
    </div>
  );
}

/** An account keeps at least one owner. */
const isOnlyOwner = (member: Member, members: readonly Member[]): boolean =>
  member.role === 'owner' && members.filter(({ role }) => role === 'owner').length === 1;

interface MembersProps {
  readonly members: readonly Member[];
  /** Whether the signed-in developer may change a member. */
  readonly isManaged: (member: Member) => boolean;
  readonly onChange: (member: Member) => void;
  readonly onRemove: (member: Member) => void;
}

function Members({ members, isManaged, onChange, onRemove }: MembersProps) {
  const t = useTexts();
  const l = useRoleLimitTexts();
  const isYou = useIsYou();
  const obstacle = (member: Member) => (isOnlyOwner(member, members) ? plain(l.lastOwner(nameOf(member))) : undefined);
  return (
    <Table
      label={t.team.title}
      rows={members}
      keyOf={({ memberId }) => memberId}
      columns={[
        { name: t.team.member, cell: (member) => <MemberName member={member} isYou={isYou(member)} /> },
        { name: t.team.role, cell: (member) => <AuthorityBadges {...member} /> },
        { name: t.team.joined, isLeast: true, cell: ({ joinedAt }) => <On time={joinedAt} /> },
        { name: t.team.lastSeen, cell: ({ lastSeenAt }) => lastSeenAt && <Ago time={lastSeenAt} /> },
        {
          name: t.palette.actions,
          kind: 'actions',
          cell: (member) => (
            <RowMenu
              label={plain(`${t.palette.actions}: ${nameOf(member)}`)}
              actions={[
                ...(isManaged(member)
                  ? [{ label: t.team.change, run: () => onChange(member), obstacle: obstacle(member) }]
                  : []),
                ...(isManaged(member) || isYou(member)
                  ? [
                      {
                        label: isYou(member) ? t.team.leave : t.team.remove,
                        run: () => onRemove(member),
                        obstacle: obstacle(member),
                        isDanger: true as const,
                      },
                    ]
                  : []),
              ]}
            />
          ),
        },
      ]}
    />
  );
}

function MemberName({ member, isYou }: { member: Member; isYou: boolean }) {
  const t = useTexts();
  const { name, email } = member;
  return (
    <>
      <Plain>{nameOf(member)}</Plain>
      {isYou && <span className="hint"> ({t.team.you})</span>}
      {name !== null && email !== null && (
        <Below>
          <Address>{email}</Address>
        </Below>
      )}
    </>
  );
}

function OpenInvitations({ accountId }: { accountId: string }) {
  const t = useTexts();
  const invitations = useQuery(invitationsQuery(accountId));
  const queries = useQueryClient();
  const [withdrawing, setWithdrawing] = useState<Invitation>();
  return (
    <section className="below">
      <h2>{t.team.open}</h2>
      <Loaded query={invitations} rows={2}>
        {(all) =>
          all.length === 0 ? (
            <p className="hint">{t.team.noneOpen}</p>
          ) : (
            <Table
              label={t.team.open}
              rows={all}
              keyOf={({ id }) => id}
              columns={[
                { name: t.team.email, cell: ({ email }) => (email === null ? t.team.anybody : <Address>{email}</Address>) },
                { name: t.team.role, cell: (invitation) => <AuthorityBadges {...invitation} /> },
                {
                  name: t.team.invited,
                  cell: ({ expiresAt }) => <time dateTime={expiresAt}>{formatTime(expiresAt)}</time>,
                },
                {
                  name: t.palette.actions,
                  kind: 'actions',
                  cell: (invitation) => (
                    <RowMenu
                      label={plain(`${t.palette.actions}: ${invitation.email ?? t.team.anybody}`)}
                      actions={[{ label: t.team.withdraw, run: () => setWithdrawing(invitation), isDanger: true }]}
                    />
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      <Confirm
        isOpen={withdrawing !== undefined}
        onClose={() => setWithdrawing(undefined)}
        title={t.team.withdrawTitle}
        text={t.team.withdrawText}
        action={t.team.withdraw}
        onConfirm={async () => {
          await call('deleteInvitation', { params: { accountId, invitationId: withdrawing?.id ?? '' } });
          await queries.invalidateQueries(invitationsQuery(accountId));
          toast(t.team.withdrawn);
        }}
      />
    </section>
  );
}

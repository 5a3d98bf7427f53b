/** The members of the account, and the invitations that are open. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { grantableRoles, may, type Role, useAuthority } from '../api/authority.ts';
import { call } from '../api/http.ts';
import { type Invitation, invitationsQuery, type Member, membersQuery } from '../api/team.ts';
import { useAccountId } from '../shell/session.tsx';
import { formatAgo, formatDate, formatTime, useTexts } from '../texts/index.ts';
import { Button, PageHeader } from '../ui/controls.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Plain } from '../ui/plain.tsx';
import { plain } from '../ui/plain-text.ts';
import { toast } from '../ui/toasts.tsx';
import { AuthorityBadges } from './authority.tsx';
import { ChangeMember } from './change-member.tsx';
import { Invite } from './invite.tsx';
import { RemoveMember } from './remove-member.tsx';
import { nameOf, useIsYou } from './team-names.ts';

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
    <div className="page">
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
            <ul className="rows">
              {all.map((member) => (
                <MemberRow
                  key={member.memberId}
                  member={member}
                  onChange={grantable.includes(member.role) ? () => setChanging(member) : undefined}
                  onRemove={() => setRemoving(member)}
                  isManager={grantable.includes(member.role)}
                />
              ))}
            </ul>
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

interface MemberRowProps {
  readonly member: Member;
  readonly isManager: boolean;
  readonly onChange: (() => void) | undefined;
  readonly onRemove: () => void;
}

function MemberRow({ member, isManager, onChange, onRemove }: MemberRowProps) {
  const t = useTexts();
  const { email, name, joinedAt, lastSeenAt } = member;
  const isYou = useIsYou(member);
  const called = nameOf(member);
  return (
    <li className="row">
      <div className="row-main">
        <b>
          <Plain>{called}</Plain>
          {isYou && <span className="hint"> ({t.team.you})</span>}
        </b>
        {name !== null && email !== null && (
          <small className="hint">
            <Plain>{email}</Plain>
          </small>
        )}
      </div>
      <AuthorityBadges {...member} />
      <dl className="row-facts">
        <div>
          <dt>{t.team.joined}</dt>
          <dd>{formatDate(joinedAt)}</dd>
        </div>
        <div>
          <dt>{t.team.lastSeen}</dt>
          <dd title={lastSeenAt === null ? undefined : formatTime(lastSeenAt)}>
            {lastSeenAt === null ? t.common.never : formatAgo(lastSeenAt)}
          </dd>
        </div>
      </dl>
      <div className="row-actions">
        {onChange && (
          <Button size="small" onClick={onChange} aria-label={plain(t.team.changeTitle(called))}>
            {t.team.change}
          </Button>
        )}
        {(isManager || isYou) && (
          <Button kind="danger" size="small" onClick={onRemove} aria-label={plain(t.team.removeTitle(called))}>
            {isYou ? t.team.leave : t.team.remove}
          </Button>
        )}
      </div>
    </li>
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
            <ul className="rows">
              {all.map((invitation) => (
                <li className="row" key={invitation.id}>
                  <div className="row-main">
                    <b>{invitation.email === null ? t.team.anybody : <Plain>{invitation.email}</Plain>}</b>
                  </div>
                  <AuthorityBadges {...invitation} />
                  <dl className="row-facts">
                    <div>
                      <dt>{t.team.invited}</dt>
                      <dd>{formatTime(invitation.expiresAt)}</dd>
                    </div>
                  </dl>
                  <Button kind="danger" size="small" onClick={() => setWithdrawing(invitation)}>
                    {t.team.withdraw}
                  </Button>
                </li>
              ))}
            </ul>
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

/** Creates an invitation: address, authority, and its link, shown once. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Authority, type Given, grantableRoles, type MemberRole } from '../api/authority.ts';
import { call } from '../api/http.ts';
import { type CreatedInvitation, invitationsQuery } from '../api/team.ts';
import { formatTime, useTexts } from '../texts/index.ts';
import { useAction } from '../ui/action.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { Fault } from '../ui/fault.tsx';
import { Form, FormEnd, TextField } from '../ui/form.tsx';
import { ShownOnce } from '../ui/shown-once.tsx';
import { AuthorityFields, leastAuthority } from './authority.tsx';

/** Whether the service mails links. */
const sendsMail = document.querySelector<HTMLMetaElement>('meta[name="holdfast-sends-mail"]')?.content === 'true';

interface InviteProps {
  readonly accountId: string;
  readonly own: Authority;
  readonly onClose: () => void;
}

export function Invite({ accountId, own, onClose }: InviteProps) {
  const t = useTexts();
  const queries = useQueryClient();
  const [email, setEmail] = useState('');
  const [authority, setAuthority] = useState<Given<MemberRole>>(() => leastAuthority('editor', own));
  const [created, setCreated] = useState<CreatedInvitation>();
  const isMailed = sendsMail && email.trim() !== '';
  const isReady = authority.environments === null || authority.environments.length > 0;
  const create = useAction(async () => {
    if (!isReady) return;
    const address = email.trim();
    const body = { ...authority, ...(address !== '' && { email: address }) };
    setCreated(await call('createInvitation', { params: { accountId }, body }));
    await queries.invalidateQueries(invitationsQuery(accountId));
  });
  if (created !== undefined) {
    return (
      <ShownOnce
        title={t.team.linkTitle}
        text={created.email === null ? t.team.linkText : sendsMail ? t.team.linkMailedText : t.team.linkOneText}
        secrets={[{ name: t.team.linkTitle, text: created.url }]}
        done={t.team.linkDone}
        onClose={onClose}
      >
        <Facts>
          <Fact name={t.team.role}>{t.team.roles[created.role]}</Fact>
          <Fact name={t.team.invited}>{formatTime(created.expiresAt)}</Fact>
        </Facts>
      </ShownOnce>
    );
  }
  return (
    <Dialog isOpen onClose={onClose} title={t.team.inviteTitle} text={t.team.inviteLead}>
      <Form action={create}>
        <TextField
          type="email"
          label={t.team.emailOptional}
          hint={sendsMail ? t.team.emailHintMailed : t.team.emailHint}
          value={email}
          onChange={setEmail}
          maxLength={254}
          spellCheck={false}
        />
        <AuthorityFields
          roles={grantableRoles(own)}
          value={authority}
          onChange={(next) => setAuthority(next.role === authority.role ? next : leastAuthority(next.role, own))}
          {...(own.environments && { offered: own.environments })}
        />
        <Fault error={create.fault} />
        <FormEnd
          action={create}
          label={isMailed ? t.team.sendInvitation : t.team.createLink}
          isReady={isReady}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}

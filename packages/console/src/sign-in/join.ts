/** Shows an invitation before anybody signs in with it. */
import type { InvitationBody } from '@holdfast/contract';
import { consolePath, isAtHome } from '../api/addresses.ts';
import { readInvitation, signInToJoin } from '../api/invitation.ts';
import { type SessionState, session } from '../api/session.ts';
import { formatDate } from '../texts/language.ts';
import type { VisitorTexts } from '../texts/visitor-en.ts';
import { faultText } from '../ui/fault-text.ts';
import { openedSecret } from './address.ts';
import { type Child, element } from './dom.ts';
import { holderFacts } from './holder.ts';
import { actionButton, type Draw, facts, lead, linkButton, notice, show, working } from './page.ts';
import { signInPage } from './sign-in.ts';

/** Loads the invitation of the page, and shows it. */
export async function openInvitation(root: HTMLElement): Promise<void> {
  if (!isAtHome || !isSecureContext) return show(root, signInPage());
  void show(root, (t) => [working(t.common.loading)]);
  await session.ready;
  const { state } = session;
  try {
    const invitation = await readInvitation(openedSecret);
    await show(root, invitation === null ? invitationGone(state) : await askOf(invitation, state));
  } catch (error) {
    await show(root, (t) => [
      element('h1', {}, t.join.title),
      notice('bad', faultText(t, error), t.errors.title),
      actionButton(t, t.common.retry, () => openInvitation(root), { kind: '' }),
    ]);
  }
}

const invitationGone =
  ({ kind }: SessionState): Draw =>
  (t) => [
    element('h1', {}, t.join.gone),
    lead(openedSecret === '' ? t.join.again : t.join.goneText),
    linkButton(kind === 'signed_out' ? t.session.signIn : t.session.linkStay, `${consolePath}/`),
  ];

async function askOf(invitation: InvitationBody, state: SessionState): Promise<Draw> {
  const accept = () => signInToJoin(openedSecret);
  if (state.kind === 'signed_out') {
    return (t) => [...invitationDetails(t, invitation), actionButton(t, t.join.accept, accept)];
  }
  const holder = await holderFacts(state);
  return (t) => [
    ...invitationDetails(t, invitation),
    lead(t.join.other),
    holder(t),
    actionButton(t, t.join.acceptElse, accept),
    linkButton(t.session.linkStay, `${consolePath}/`, ''),
  ];
}

function invitationDetails(
  t: VisitorTexts,
  { accountName, role, environments, inviter, expiresAt }: InvitationBody,
): readonly Child[] {
  return [
    element('h1', {}, t.join.title),
    lead(t.join.text),
    facts(
      [t.session.account, accountName],
      [t.join.as, t.roles[role]],
      environments !== null && [t.join.where, environments.map((env) => t.environments[env]).join(', ')],
      [t.join.from, inviter ?? t.session.operator],
      [t.join.until, formatDate(expiresAt)],
    ),
  ];
}

/** Signs in with a link of the command line, and asks before it replaces a session. */
import { isHoldfastError } from '@holdfast/client';
import { consolePath, isLoopback } from '../api/addresses.ts';
import { demoProject, followLink, type Holder, session, untilPageShown } from '../api/session.ts';
import { faultText } from '../ui/fault-text.ts';
import { openedSecret } from './address.ts';
import { element } from './dom.ts';
import { holderFacts } from './holder.ts';
import { actionButton, lead, linkButton, show, working } from './page.ts';
import { signInPage } from './sign-in.ts';

/** Follows the link, with a question if somebody is signed in. */
export async function openLink(root: HTMLElement): Promise<void> {
  void show(root, (t) => [working(t.session.working)]);
  await session.ready;
  const { state } = session;
  if (state.kind === 'signed_out' || !isLoopback) await follow(root);
  else await ask(root, state);
}

async function ask(root: HTMLElement, holder: Holder): Promise<void> {
  const facts = await holderFacts(holder);
  await show(root, (t) => [
    element('h1', {}, t.session.linkTitle),
    lead(t.session.linkText),
    facts(t),
    linkButton(t.session.linkStay, `${consolePath}/`),
    actionButton(t, t.session.linkFollow, () => follow(root), { kind: '' }),
  ]);
}

async function follow(root: HTMLElement): Promise<void> {
  if (!isLoopback)
    return show(
      root,
      signInPage((t) => t.session.linkElsewhere),
    );
  const [code = '', verifier = ''] = openedSecret.split('.');
  let hasDemo: boolean;
  try {
    hasDemo = await followLink(code, verifier);
  } catch (error) {
    const isUsed = isHoldfastError(error, 'invalid_grant');
    return show(
      root,
      signInPage((t) => (isUsed ? t.session.linkUsed : faultText(t, error))),
    );
  }
  location.replace(hasDemo ? `${consolePath}/p/${demoProject}/connect?welcome=true` : `${consolePath}/`);
  await untilPageShown();
}

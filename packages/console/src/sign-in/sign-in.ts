/** Sign-in to the console: straight to the login page, or from a page that says why the browser stays here. */
import { consolePath, consoleUrl, isAtHome } from '../api/addresses.ts';
import { leadToSignIn, session, signIn } from '../api/session.ts';
import { faultText } from '../ui/fault-text.ts';
import { entryOf } from './address.ts';
import { element } from './dom.ts';
import { actionButton, type Draw, lead, linkButton, notice, show, working } from './page.ts';

/** Where to continue after a sign-in from the open page. */
const returnTo = (): string => (entryOf() === undefined ? location.pathname + location.search : `${consolePath}/`);

/** Leads to the login page, except after a sign-out, and where nobody could sign in. */
export async function openSignIn(root: HTMLElement): Promise<void> {
  if (!isAtHome || !isSecureContext || session.isLeft) return show(root, signInPage());
  void show(root, (t) => [working(t.session.opening)]);
  try {
    await leadToSignIn(returnTo());
    await show(root, signInPage());
  } catch (error) {
    await show(
      root,
      signInPage((t) => faultText(t, error)),
    );
  }
}

/** The page with the button to sign in; `failureOf` describes an earlier failure, if any. */
export const signInPage =
  (failureOf?: (t: Parameters<Draw>[0]) => string): Draw =>
  (t) => {
    const failure = failureOf && notice('bad', failureOf(t), t.session.failed);
    if (!isAtHome) {
      const open = linkButton(t.session.open(consoleUrl), consoleUrl);
      return [element('h1', {}, t.session.elsewhere), lead(t.session.elsewhereText), failure, open];
    }
    const isLeft = session.isLeft && failure === undefined;
    return [
      element('h1', {}, isLeft ? t.session.expired : t.session.title),
      lead(isLeft ? t.session.leftText : t.session.lead),
      failure,
      isSecureContext
        ? actionButton(t, isLeft ? t.session.signInAgain : t.session.signIn, () => signIn(returnTo()), {
            title: t.session.failed,
          })
        : notice('warn', t.session.insecure),
    ];
  };

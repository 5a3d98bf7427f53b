/** The sign-in page of the console. */
import { consolePath, consoleUrl, isAtHome, isLoopback } from '../api/addresses.ts';
import { signIn } from '../api/session.ts';
import { entryOf } from './address.ts';
import { element } from './dom.ts';
import { actionButton, type Draw, lead, linkButton, notice } from './page.ts';

/** Prints a link to the demo, on the computer of the service. */
const linkCommand = 'npx holdfast account link';

/** The sign-in page; `failureOf` describes an earlier failure, if any. */
export const signInPage =
  (failureOf?: (t: Parameters<Draw>[0]) => string): Draw =>
  (t) => {
    const failure = failureOf && notice('bad', failureOf(t), t.session.failed);
    if (!isAtHome) {
      const open = linkButton(t.session.open(consoleUrl), consoleUrl);
      return [element('h1', {}, t.session.elsewhere), lead(t.session.elsewhereText), failure, open];
    }
    const returnTo = entryOf() === undefined ? location.pathname + location.search : `${consolePath}/`;
    return [
      element('h1', {}, t.session.title),
      lead(t.session.lead),
      failure,
      isSecureContext
        ? actionButton(t, t.session.signIn, () => signIn(returnTo), { title: t.session.failed })
        : notice('warn', t.session.insecure),
      isLoopback && element('p', { class: 'hint' }, `${t.session.demoHint} `, element('code', {}, linkCommand)),
    ];
  };

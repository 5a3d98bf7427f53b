/**
 * The start of the console: shows the visitor pages, and loads the rest for signed-in users. Visitors load only this file and its imports,
 * so it must not contain React; scripts/build-console.ts limits its size.
 */

import './kit.css';
import { session } from './api/session.ts';
import { entryOf } from './sign-in/address.ts';
import { finishSignIn } from './sign-in/callback.ts';
import { openInvitation } from './sign-in/join.ts';
import { openLink } from './sign-in/link.ts';
import { hide, show } from './sign-in/page.ts';
import { openSignIn, signInPage } from './sign-in/sign-in.ts';
import { readerOf, withTexts } from './texts/language.ts';
import { subjects } from './texts/subjects.ts';
import './ui/elements.css';
import './ui/form.css';
import './ui/controls.css';
import './ui/card.css';
import './ui/facts.css';
import './ui/code.css';

const found = document.getElementById('root');
if (found === null) throw new Error('the page has no root');
const root = found;
/** Removes the pages of the console; undefined while they are not shown. */
let close: (() => void) | undefined;

const isSignedIn = () => session.state.kind !== 'signed_out';

/** Loads the console and its texts in parallel. */
function loadConsole(): Promise<typeof import('./app.tsx')> {
  readerOf(subjects.console);
  return withTexts(import('./app.tsx'));
}

/**
 * Shows the console to signed-in users, and leads others to the login page; with `isBack`, which says that they come from there, to a page
 * that waits for them.
 */
async function follow(isBack = false): Promise<void> {
  if (!isSignedIn()) {
    close?.();
    close = undefined;
    return isBack ? show(root, signInPage()) : openSignIn(root);
  }
  const { openConsole } = await loadConsole();
  if (close !== undefined || !isSignedIn()) return;
  hide();
  close = openConsole(root);
}

async function start(): Promise<void> {
  const entry = entryOf();
  if (entry === 'demo') return openLink(root);
  if (entry === 'join') return openInvitation(root);
  if (entry === 'callback') {
    const loaded = loadConsole().catch(() => undefined);
    const address = await finishSignIn(root);
    if (address === undefined) return;
    history.replaceState(null, '', address);
    await loaded;
  } else if (session.isLikely) void loadConsole().catch(() => undefined);
  await session.ready;
  await follow(entry === 'callback');
  session.subscribe(() => void follow());
}

/** After an update of the service, an open page requests files that no longer exist: it is reloaded once. Typed text is kept as a draft. */
addEventListener('vite:preloadError', (event) => {
  const last = Number(sessionStorage.getItem('holdfast.reloaded') ?? 0);
  if (!navigator.onLine || Date.now() - last < 30_000) return;
  event.preventDefault();
  sessionStorage.setItem('holdfast.reloaded', String(Date.now()));
  location.reload();
});

void start();

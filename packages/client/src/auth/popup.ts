/** The login page in a separate window, with the opening page still open. */
import { HoldfastError } from '../errors.ts';
import { delay, type OpenedWindow, runtime } from '../runtime.ts';

const pollMs = 250;
/** The last message of a window can arrive just after the window has closed. */
const closedPollsMax = 4;

/**
 * Waits until somebody has signed in there. Rejects with `popup_closed` if the window is closed first, and with the reason of the signal.
 */
export async function untilSignedIn(
  opened: OpenedWindow,
  isSignedIn: () => Promise<boolean>,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let closedPolls = 0; closedPolls <= closedPollsMax; ) {
    await delay(pollMs, signal);
    if (await isSignedIn()) return;
    // `closed` is also true if a page in the window has a `Cross-Origin-Opener-Policy`. In that case the window has the focus, not this
    // page.
    const hasFocus = runtime.document?.hasFocus?.() ?? true;
    closedPolls = opened.closed && hasFocus ? closedPolls + 1 : 0;
  }
  throw new HoldfastError('popup_closed', 'the window of the login page was closed before anybody signed in');
}

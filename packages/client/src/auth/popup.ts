/** The window of the login page, beside the page that opened it. */
import { HoldfastError } from '../errors.ts';
import { delay, type OpenedWindow, runtime } from '../runtime.ts';

const pollMs = 250;
/** What a window has done last can arrive a moment after it has closed itself. */
const closedPollsMax = 4;

/**
 * Waits until somebody has signed in there. Rejects with `popup_closed` when the window is closed before that, and with the reason of
 * the signal.
 */
export async function untilSignedIn(
  opened: OpenedWindow,
  isSignedIn: () => Promise<boolean>,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let closedPolls = 0; closedPolls <= closedPollsMax; ) {
    await delay(pollMs, signal);
    if (await isSignedIn()) return;
    // `closed` is also true when a page in the window has a `Cross-Origin-Opener-Policy`. The focus is there then, and not here.
    const hasFocus = runtime.document?.hasFocus?.() ?? true;
    closedPolls = opened.closed && hasFocus ? closedPolls + 1 : 0;
  }
  throw new HoldfastError('popup_closed', 'the window of the login page was closed before anybody signed in');
}

/** Completes the round trip to the login page. */
import { handleRedirect } from '../api/session.ts';
import { faultText } from '../ui/fault-text.ts';
import { show, working } from './page.ts';
import { signInPage } from './sign-in.ts';

/** Returns where to continue; undefined, with the fault on the page, if nobody is signed in. */
export async function finishSignIn(root: HTMLElement): Promise<string | undefined> {
  void show(root, (t) => [working(t.session.working)]);
  try {
    return await handleRedirect();
  } catch (error) {
    await show(
      root,
      signInPage((t) => faultText(t, error)),
    );
    return undefined;
  }
}

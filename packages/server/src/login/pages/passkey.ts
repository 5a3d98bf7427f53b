/** The forms of passkeys. The script of the page shows them and fills them in. */

import { type Html, html } from '../../common/html.ts';
import { keyIcon } from '../art.ts';
import { form, hidden } from '../fields.ts';
import { textsOf } from '../language.ts';
import type { View } from '../page-main.ts';

/** What starts the use of a passkey in the browser. */
export interface PasskeyOptions {
  readonly options: unknown;
  readonly ticket: string;
}

/** Returns the fields that every form of a passkey has. */
export function passkeyFields({ ticket }: PasskeyOptions): Html {
  return html`${hidden('ticket', ticket)}${hidden('credential', '')}`;
}

/**
 * Returns the attributes with which the script uses a passkey. `failed` is what it says where none was used. If the page is old, it asks for
 * the page once more; where that has no such form, it says so, with a button that starts again.
 */
export function passkeyData(view: View, { options }: PasskeyOptions, failed: string): Html {
  const { pageLate, startAgain } = textsOf(view.language);
  return html` data-options="${JSON.stringify(options)}" data-failed="${failed}" data-late="${pageLate}" data-again="${startAgain}"`;
}

/** Returns the form that signs in with a passkey. With `isAsked`, only its button does, and not the field of the address too. */
export function passkeySignIn(view: View, passkey: PasskeyOptions, isAsked = false): Html {
  const texts = textsOf(view.language);
  return form(
    view,
    '/authorize/passkey',
    html`${passkeyFields(passkey)}<button class="button" type="button" id="passkey-button">${keyIcon}<span>${texts.passkey}</span></button>`,
    html` id="passkey" hidden${isAsked && html` data-asks`}${passkeyData(view, passkey, texts.passkeyFailed)}`,
  );
}

/** Forms of passkeys. The page's script shows and fills them in. */

import { type Html, html } from '../../common/text/html.ts';
import { form, hidden } from '../fields.ts';
import { textsOf } from '../language.ts';
import { keyIcon } from '../look/art.ts';
import type { View } from '../page-main.ts';

/** Data that starts the use of a passkey in the browser. */
export interface PasskeyOptions {
  readonly options: unknown;
  readonly ticket: string;
}

/** Returns the fields of every passkey form. */
export function passkeyFields({ ticket }: PasskeyOptions): Html {
  return html`${hidden('ticket', ticket)}${hidden('credential', '')}`;
}

/**
 * Returns the attributes that the script needs to use a passkey. `failed` is its message if no passkey was used. If the page is old, the
 * script requests it again; if the new page has no such form, it says so and offers to start again.
 */
export function passkeyData(view: View, { options }: PasskeyOptions, failed: string): Html {
  const { pageLate, startAgain } = textsOf(view.language);
  return html` data-options="${JSON.stringify(options)}" data-failed="${failed}" data-late="${pageLate}" data-again="${startAgain}"`;
}

/** Returns the form that signs in with a passkey. With `isAsked`, only its button does so, not the address field too. */
export function passkeySignIn(view: View, passkey: PasskeyOptions, isAsked = false): Html {
  const texts = textsOf(view.language);
  return form(
    view,
    '/authorize/passkey',
    html`${passkeyFields(passkey)}<button class="button" type="button" id="passkey-button">${keyIcon}<span>${texts.passkey}</span></button>`,
    html` id="passkey" hidden${isAsked && html` data-asks`}${passkeyData(view, passkey, texts.passkeyFailed)}`,
  );
}

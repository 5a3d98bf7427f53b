/** The page between a sign-in and the app. It may offer a passkey, then passes on the proof of the sign-in. */

import { type Html, html } from '../../common/text/html.ts';
import type { Page, View } from '../document.ts';
import { form, hidden, noticeBox, submit } from '../fields.ts';
import { textsOf } from '../language.ts';
import { type PasskeyOptions, passkeyFields } from './passkey.ts';

export interface ContinuePage {
  /** The address of the callback. */
  readonly callback: string;
  /** The fields for the callback, with the ID token. They are sent in a body, never in an address. */
  readonly fields: Readonly<Record<string, string>>;
  /** How to create a passkey here, if possible. */
  readonly offer?: PasskeyOptions | undefined;
  readonly isPasskeyKept?: boolean;
  /** Whether the request may be from any program on this computer. If so, only a press of the button continues. */
  readonly isForAnyProgram: boolean;
}

/**
 * Returns a page that continues automatically, or with its button if there is no script. If any program may have sent the request, it waits
 * for the button: the script does not submit that form.
 */
export function continuePage(view: View, page: ContinuePage): Page {
  const { callback, fields, offer, isPasskeyKept, isForAnyProgram } = page;
  const texts = textsOf(view.language);
  const label = view.brand.kind === 'project' ? texts.continueTo(view.brand.name) : texts.continue;
  const carried = Object.entries(fields).map(([name, value]) => hidden(name, value));
  return {
    title: texts.continueTitle,
    address: view.address('/authorize'),
    body: html`<div id="signed-in"><h1>${texts.continueTitle}</h1>
${isPasskeyKept && noticeBox({ isBad: false, text: texts.passkeyKept })}
<p class="lead">${isForAnyProgram ? texts.anyProgramText : texts.continueText}</p>
<form id="${isForAnyProgram ? 'continue-form-by-hand' : 'continue-form'}" method="post" action="${callback}">${carried}${submit(label)}</form></div>
${offer !== undefined && !isForAnyProgram && offerSection(view, offer, fields.idp_id_token ?? '')}`,
  };
}

function offerSection(view: View, offer: PasskeyOptions, idToken: string): Html {
  const texts = textsOf(view.language);
  const carried = html`${passkeyFields(offer)}${hidden('idp_id_token', idToken)}`;
  const data = html` data-title="${texts.offerTitle}" data-options="${JSON.stringify(offer.options)}" data-failed="${texts.offerFailed}"`;
  return html`<section id="offer" hidden${data}>
<h1>${texts.offerTitle}</h1>
<div class="notice bad" id="passkey-notice" role="alert" hidden></div>
<p class="lead">${texts.offerText}</p>
${form(view, '/authorize/passkey/register', carried, html` id="offer-form"`)}
<button class="button primary" type="button" id="offer-accept">${texts.offerAccept}</button>
<button class="button" type="button" id="offer-skip">${texts.offerSkip}</button>
</section>`;
}

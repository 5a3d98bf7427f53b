/** Pages between the password and the proof of a sign-in: the code of an app, setting up an app, and its recovery codes. */

import { renderSVG } from 'uqr';
import { Html, html } from '../../common/text/html.ts';
import type { SetUp } from '../../identity/built-in/second-factors/second-factors.ts';
import type { Page, View } from '../document.ts';
import { type Faults, field, form, hidden, type Notice, noticeBox, submit } from '../fields.ts';
import { textsOf } from '../language.ts';
import { settingsTextsOf } from '../texts/account-settings.ts';
import { type PasskeyOptions, passkeySignIn } from './passkey.ts';

export interface CodePage {
  readonly ticket: string;
  /** Whether there is an app with codes, or only passkeys. */
  readonly hasApp: boolean;
  readonly passkey: PasskeyOptions | undefined;
  readonly notice?: Notice | undefined;
  readonly faults?: Faults | undefined;
}

/** Returns the page that asks for a code or a passkey. */
export function codePage(view: View, { ticket, hasApp, passkey, notice, faults }: CodePage): Page {
  const texts = settingsTextsOf(view.language);
  const codeForm = form(
    view,
    '/authorize/second-step',
    html`${hidden('ticket', ticket)}${codeField(view, texts.codeHint, faults)}${submit(textsOf(view.language).signIn)}`,
  );
  return {
    title: texts.stepTitle,
    isFaulty: notice?.isBad === true || faults !== undefined,
    address: view.address('/authorize'),
    asksAgain: passkey !== undefined,
    body: html`<h1>${texts.stepTitle}</h1>
${noticeBox(notice)}
<div class="notice bad" id="passkey-notice" role="alert" hidden></div>
<p class="lead">${hasApp ? texts.stepText : texts.stepPasskey}</p>
${hasApp && codeForm}
${passkey !== undefined && passkeySignIn(view, passkey, true)}
<p class="switch"><a href="${view.address('/authorize')}">${textsOf(view.language).backToSignIn}</a></p>`,
  };
}

function codeField(view: View, hint: string, faults: Faults | undefined): Html {
  return field({
    name: 'code',
    label: textsOf(view.language).code,
    autocomplete: 'one-time-code',
    hint,
    isFocused: true,
    faults,
    attributes: html` class="step" maxlength="64" autocapitalize="none" spellcheck="false"`,
  });
}

export interface SetUpPage {
  /** The ticket of the pending sign-in. */
  readonly ticket: string;
  readonly setUp: SetUp;
  readonly faults?: Faults | undefined;
}

/** Returns the page that sets up an app during a sign-in, for an account that requires one. */
export function setUpPage(view: View, { ticket, setUp, faults }: SetUpPage): Page {
  const texts = settingsTextsOf(view.language);
  return {
    title: texts.setUpTitle,
    isFaulty: faults !== undefined,
    address: view.address('/authorize'),
    body: html`<h1>${texts.setUpTitle}</h1>
<p class="lead">${texts.setUpRequired}</p>
${setUpSteps(view, setUp)}
${form(view, '/authorize/second-step/set-up', html`${hidden('ticket', ticket)}${setUpFields(view, setUp, faults)}`)}
<p class="switch"><a href="${view.address('/authorize')}">${textsOf(view.language).backToSignIn}</a></p>`,
  };
}

/** Returns the instructions for an app: a QR code and its text. */
export function setUpSteps(view: View, { uri, text }: SetUp): Html {
  const texts = settingsTextsOf(view.language);
  // The library draws squares; the address is encoded in them and does not appear as text.
  const picture = new Html(renderSVG(uri, { border: 3, ecc: 'M' }));
  return html`<p>${texts.setUpScan}</p>
<div class="qr" role="img" aria-label="${texts.setUpPicture}">${picture}</div>
<p class="hint">${texts.setUpText}</p>
<p class="secret"><code translate="no">${text}</code></p>
<p><a href="${uri}">${texts.setUpHere}</a></p>`;
}

/** Returns the fields that confirm a set-up. */
export function setUpFields(view: View, { ticket }: SetUp, faults: Faults | undefined): Html {
  const texts = settingsTextsOf(view.language);
  return html`${hidden('set_up', ticket)}${codeField(view, texts.setUpCode, faults)}${submit(texts.setUpConfirm)}`;
}

/** Returns the page with new recovery codes, shown once. `next` is the form that continues. */
export function recoveryPage(view: View, codes: readonly string[], next: Html): Page {
  const texts = settingsTextsOf(view.language);
  return {
    title: texts.recoveryTitle,
    address: view.address(view.isForAccountSettings ? '/account' : '/authorize'),
    body: html`<h1>${texts.recoveryTitle}</h1>
<p class="lead">${texts.recoveryText}</p>
<ol class="recovery" translate="no">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ol>
${next}`,
  };
}

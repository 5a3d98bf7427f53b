/** Pages for a forgotten password. */

import { html } from '../../common/text/html.ts';
import type { Page, View } from '../document.ts';
import {
  emailField,
  type Faults,
  faultSummary,
  form,
  hidden,
  linkButton,
  type Notice,
  noticeBox,
  passwordField,
  submit,
} from '../fields.ts';
import { textsOf } from '../language.ts';

export interface ForgotPage {
  readonly email?: string | undefined;
  readonly notice?: Notice | undefined;
  readonly faults?: Faults | undefined;
  readonly isAnswer?: boolean;
}

/** Returns the form that requests a link. */
export function forgotPage(view: View, { email, notice, faults, isAnswer }: ForgotPage): Page {
  const texts = textsOf(view.language);
  return {
    title: texts.forgotTitle,
    isFaulty: notice?.isBad === true || faults !== undefined,
    ...(isAnswer && { address: view.address('/authorize/forgot') }),
    body: html`<h1>${texts.forgotTitle}</h1>
${noticeBox(notice)}${faultSummary(view, faults)}
<p class="lead">${texts.forgotText}</p>
${form(view, '/authorize/forgot', html`${emailField(view, { value: email, faults })}${submit(texts.forgotSend)}`)}
<p class="switch"><a href="${view.address('/authorize')}">${texts.backToSignIn}</a></p>`,
  };
}

/** Returns the page after the request, the same whether the address is known or not. */
export function forgotSentPage(view: View, email: string): Page {
  const texts = textsOf(view.language);
  return {
    title: texts.forgotSentTitle,
    address: view.address('/authorize/forgot'),
    body: html`<h1>${texts.forgotSentTitle}</h1>
<p class="lead" role="status">${texts.forgotSent(email)}</p>
<p>${texts.confirmHint}</p>
<p class="switch"><a href="${view.address('/authorize')}">${texts.backToSignIn}</a></p>`,
  };
}

export interface ResetPage {
  readonly token: string;
  readonly email: string;
  readonly notice?: Notice | undefined;
  readonly faults?: Faults | undefined;
  readonly isAnswer?: boolean;
}

/** Returns the form of the new password. */
export function resetPage(view: View, { token, email, notice, faults, isAnswer }: ResetPage): Page {
  const texts = textsOf(view.language);
  // With the address, a password manager can store the new password for the right account.
  const content = html`${hidden('token', token)}<input type="email" name="email" value="${email}" autocomplete="username" hidden readonly>${passwordField(
    view,
    {
      name: 'password',
      label: texts.newPassword,
      autocomplete: 'new-password',
      hint: texts.passwordHint,
      isFocused: true,
      faults,
    },
  )}${submit(texts.resetSave)}`;
  return {
    title: texts.resetTitle,
    isFaulty: notice?.isBad === true || faults !== undefined,
    ...(isAnswer && { address: view.address(`/authorize/reset?token=${encodeURIComponent(token)}`) }),
    body: html`<h1>${texts.resetTitle}</h1>
${noticeBox(notice)}${faultSummary(view, faults)}
<p class="lead">${texts.resetFor(email)}</p>
${form(view, '/authorize/reset', content)}`,
  };
}

/** Returns the page after a reset, with a link to where sign-in began. `isProtected`: passkeys were kept because of a second factor. */
export function resetDonePage(view: View, isProtected: boolean): Page {
  const texts = textsOf(view.language);
  return {
    title: texts.resetDoneTitle,
    address: view.address('/authorize'),
    body: html`<h1>${texts.resetDoneTitle}</h1>
<p class="lead" role="status">${isProtected ? texts.resetDoneKept : texts.resetDone}</p>
${linkButton(view.address('/authorize'), texts.signIn, 'primary')}`,
  };
}

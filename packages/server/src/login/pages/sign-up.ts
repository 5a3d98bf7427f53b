/** Pages for a new account: name and address, then the mailed code. */

import type { OfferedProvider } from '@holdfast/contract';
import { html } from '../../common/text/html.ts';
import type { MailStatus } from '../../identity/built-in/mails/mail-queue.ts';
import type { Page, View } from '../document.ts';
import {
  emailField,
  type Faults,
  faultSummary,
  field,
  form,
  hidden,
  invitedLine,
  mailedCodeField,
  type Notice,
  noticeBox,
  passwordField,
  providerButtons,
  submit,
} from '../fields.ts';
import { textsOf } from '../language.ts';
import { mailLine } from './mail-line.ts';

export interface SignUpPage {
  /** Providers, which create an account at the first sign-in. */
  readonly providers: readonly OfferedProvider[];
  readonly email?: string | undefined;
  readonly name?: string | undefined;
  readonly notice?: Notice | undefined;
  readonly faults?: Faults | undefined;
  readonly isAnswer?: boolean;
}

/** Returns the form of a new account. */
export function signUpPage(view: View, { providers, email, name, notice, faults, isAnswer }: SignUpPage): Page {
  const texts = textsOf(view.language);
  const content = html`${emailField(view, { value: email, faults })}${field({
    name: 'name',
    label: html`${texts.name} <small>(${texts.optional})</small>`,
    value: name,
    autocomplete: 'name',
    hint: texts.nameHint,
    isOptional: true,
    faults,
  })}${passwordField(view, {
    name: 'password',
    label: texts.password,
    autocomplete: 'new-password',
    hint: texts.passwordHint,
    faults,
  })}${submit(texts.signUp)}`;
  return {
    title: view.isUpgrade ? texts.keepTitle : texts.signUp,
    isFaulty: notice?.isBad === true || faults !== undefined,
    ...(isAnswer && { address: view.address('/authorize/sign-up') }),
    body: html`<h1>${view.isUpgrade ? texts.keepTitle : texts.signUpTitle}</h1>
${invitedLine(view)}${view.isUpgrade && html`<p class="lead">${texts.keepSignUp}</p>`}${noticeBox(notice)}${faultSummary(view, faults)}
<div class="body">${providerButtons(view, providers, true)}
${form(view, '/authorize/sign-up', content)}</div>
<p class="switch">${texts.haveAccount} <a href="${view.address('/authorize')}">${texts.signIn}</a></p>`,
  };
}

export interface ConfirmPage {
  readonly signUp: string;
  readonly email: string | undefined;
  /** The state of the mail with the code. */
  readonly mail: MailStatus;
  readonly notice?: Notice | undefined;
  readonly faults?: Faults | undefined;
  readonly isAnswer?: boolean;
}

/** Returns the form for a mailed code. It does not reveal whether the address is known. */
export function confirmPage(view: View, { signUp, email, mail, notice, faults, isAnswer }: ConfirmPage): Page {
  const texts = textsOf(view.language);
  const along = html`${hidden('sign_up', signUp)}${email !== undefined && hidden('email', email)}`;
  const content = html`${along}${mailedCodeField(view, faults)}${submit(texts.confirm)}`;
  const again = html`${along}<button class="link">${texts.resend}</button>`;
  return {
    title: texts.confirmTitle,
    isFaulty: notice?.isBad === true || faults !== undefined,
    ...(isAnswer && { address: view.address('/authorize/confirm') }),
    body: html`<h1>${texts.confirmTitle}</h1>
${noticeBox(notice)}${faultSummary(view, faults)}
${mailLine(view, mail, email === undefined ? texts.confirmSentNameless : texts.confirmSent(email))}
${form(view, '/authorize/confirm', content)}
<div class="others">${form(view, '/authorize/resend', again)}<a href="${view.address('/authorize/sign-up')}">${texts.otherAddress}</a><a href="${view.address('/authorize')}">${texts.backToSignIn}</a></div>`,
  };
}

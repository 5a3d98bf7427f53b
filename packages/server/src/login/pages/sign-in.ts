/** The page with the sign-in methods. */

import type { OfferedProvider } from '@holdfast/contract';
import { type Html, html } from '../../common/text/html.ts';
import {
  emailField,
  type Faults,
  faultSummary,
  form,
  invitedLine,
  type Notice,
  noticeBox,
  passwordField,
  providerButtons,
  submit,
} from '../fields.ts';
import { textsOf } from '../language.ts';
import type { Page, View } from '../page-main.ts';
import { settingsTextsOf } from '../texts/account-settings.ts';
import { type PasskeyOptions, passkeySignIn } from './passkey.ts';

/** Prints a link to the demo, on the computer of the service. */
const linkCommand = 'npx holdfast account link';

export interface SignInPage {
  readonly providers: readonly OfferedProvider[];
  readonly hasPassword: boolean;
  /** Whether an account can be created with a password. */
  readonly canSignUp: boolean;
  /** Whether new accounts need an invitation. */
  readonly isByInvitation?: boolean;
  /** Whether the console of this computer asks, whose demo project has a link of its own. */
  readonly hasDemoLink?: boolean;
  /** Set if browsers can use passkeys. */
  readonly passkey?: PasskeyOptions | undefined;
  readonly email?: string | undefined;
  readonly notice?: Notice | undefined;
  readonly faults?: Faults | undefined;
  /** Whether the page is the response to a form. If so, the password has the focus. */
  readonly isAnswer?: boolean;
}

/** Returns the page with the given sign-in methods, or one that says that none is available. */
export function signInPage(view: View, page: SignInPage): Page {
  const texts = textsOf(view.language);
  const { providers, hasPassword, notice, faults } = page;
  const hasAny = providers.length > 0 || hasPassword;
  const title = hasAny ? (view.isUpgrade ? texts.keepTitle : texts.signIn) : texts.noMethodTitle;
  return {
    title,
    isFaulty: notice?.isBad === true || Object.keys(faults ?? {}).length > 0,
    ...(page.isAnswer && { address: view.address('/authorize') }),
    asksAgain: hasPassword && page.passkey !== undefined,
    body: html`<h1>${title}</h1>
${invitedLine(view)}${view.isUpgrade && hasAny && html`<p class="lead">${texts.keepSignIn}</p>`}${view.isForAccountSettings && html`<p class="lead">${settingsTextsOf(view.language).fresh}</p>`}${noticeBox(notice)}${faultSummary(view, faults)}
<div class="notice bad" id="passkey-notice" role="alert" hidden></div>
${hasAny ? html`<div class="body">${methods(view, page)}</div>` : html`<p class="lead">${texts.noMethod}</p>`}`,
  };
}

function methods(view: View, page: SignInPage): Html {
  const { providers, hasPassword } = page;
  return html`${providerButtons(view, providers, hasPassword)}
${hasPassword && passwordMethod(view, page)}`;
}

function passwordMethod(view: View, page: SignInPage): Html {
  const texts = textsOf(view.language);
  const { email, faults, notice, isAnswer, canSignUp, passkey, hasDemoLink } = page;
  const refers = notice?.isBad === true && isAnswer === true;
  const content = html`${emailField(view, {
    value: email,
    autocomplete: passkey === undefined ? 'username' : 'username webauthn',
    faults,
  })}${passwordField(view, {
    name: 'password',
    label: texts.password,
    autocomplete: 'current-password',
    beside: html`<a href="${view.address('/authorize/forgot')}">${texts.forgot}</a>`,
    faults,
    isFocused: refers && faults === undefined && email !== undefined,
    ...(refers && faults === undefined && { attributes: html` aria-describedby="notice" aria-invalid="true"` }),
  })}${submit(texts.signIn)}`;
  return html`${form(view, '/authorize/sign-in', content)}
${passkey !== undefined && passkeySignIn(view, passkey)}
${canSignUp && html`<p class="switch">${texts.noAccount} <a href="${view.address('/authorize/sign-up')}">${texts.signUp}</a></p>`}
${page.isByInvitation && html`<p class="switch">${texts.byInvitation}</p>`}
${hasDemoLink && html`<p class="switch">${texts.demoLink} <code>${linkCommand}</code></p>`}`;
}

/** Ways to sign in on the page *Your sign-in*: existing and possible ones. */

import type { OfferedProvider } from '@holdfast/contract';
import { formatTime } from '../../common/requests/time.ts';
import { type Html, html } from '../../common/text/html.ts';
import type { Overview } from '../../identity/built-in/account-settings.ts';
import type { MailStatus } from '../../identity/built-in/mails/mail-queue.ts';
import type { Passkey } from '../../storage/contract/own-methods.ts';
import type { ProviderLink } from '../../storage/contract/sessions.ts';
import type { Page, View } from '../document.ts';
import { emailField, type Faults, hidden, linkButton, mailedCodeField, passwordField, submit } from '../fields.ts';
import { textsOf } from '../language.ts';
import { providerIcon } from '../look/art.ts';
import { settingsTextsOf } from '../texts/account-settings.ts';
import { action, row, rowAction, time, timed } from './account-settings-parts.ts';
import { mailLine } from './mail-line.ts';
import { type PasskeyOptions, passkeyData, passkeyFields } from './passkey.ts';

export interface SettingsMethods extends Omit<Overview, 'sessions'> {
  /** The person's address. Once proven, password managers store a new password under it. */
  readonly email: string | null;
  /** How to create a passkey here, if possible. */
  readonly passkey: PasskeyOptions | undefined;
  /** Whether people can sign in with a password here. */
  readonly offersPassword: boolean;
  /** The available providers. */
  readonly providers: readonly OfferedProvider[];
  readonly faults?: Faults | undefined;
}

/** Returns the part of the page about ways to sign in. */
export function methodsSection(view: View, page: SettingsMethods): Html {
  const texts = settingsTextsOf(view.language);
  const { passkey, hasPassword, offersPassword } = page;
  return html`<section><h2>${texts.methods}</h2><ul class="rows">${hasPassword && passwordRow(view, page)}${page.passkeys.map(
    (one) => passkeyRow(view, page, one),
  )}${page.links.map((link) => linkRow(view, page, link))}${!hasPassword && offersPassword && passwordRow(view, page)}</ul>
${passkey !== undefined && passkeyForm(view, passkey)}${newProviders(view, page)}</section>`;
}

function passkeyRow(view: View, { isLastMethod }: SettingsMethods, { credentialId, createdAt, lastUsedAt }: Passkey): Html {
  const { language } = view;
  const texts = settingsTextsOf(language);
  const added = timed(texts.added, time(language, createdAt));
  const used = lastUsedAt === null ? texts.neverUsed : timed(texts.lastUsed, time(language, lastUsedAt));
  const label = texts.removeWhat(`${texts.passkey}, ${formatTime(createdAt).slice(0, 10)}`);
  return row(
    texts.passkey,
    [html`${added}, ${used}`, isLastMethod ? texts.lastMethod : undefined],
    isLastMethod ? undefined : rowAction(view, 'remove-passkey', { credential: credentialId }, texts.remove, label),
  );
}

function linkRow(view: View, { isLastMethod, providers }: SettingsMethods, link: ProviderLink): Html {
  const texts = settingsTextsOf(view.language);
  const { providerId, issuer, subject } = link;
  const name = providers.find(({ id }) => id === providerId)?.name ?? providerId;
  return row(
    name,
    [isLastMethod ? texts.lastMethod : texts.provider],
    isLastMethod
      ? undefined
      : rowAction(view, 'remove-provider', { provider: providerId, issuer, subject }, texts.remove, texts.removeWhat(name)),
  );
}

/** Returns the buttons of providers that the person does not use yet. */
function newProviders(view: View, { providers, links }: SettingsMethods): Html | undefined {
  const texts = settingsTextsOf(view.language);
  const others = providers.filter(({ id }) => !links.some(({ providerId }) => providerId === id));
  const buttons = others.map(({ id, name }) =>
    action(
      view,
      'add-provider',
      html`${hidden('provider', id)}<button class="button">${providerIcon(id)}<span>${texts.providerAdd(name)}</span></button>`,
    ),
  );
  return buttons.length === 0 ? undefined : html`<div class="more">${buttons}</div>`;
}

/** Returns the line for setting, changing and removing a password. */
function passwordRow(view: View, page: SettingsMethods): Html {
  const { faults, hasPassword } = page;
  const texts = settingsTextsOf(view.language);
  const label = hasPassword ? texts.passwordChange : texts.passwordAdd;
  return html`<li class="wide"><details${faults !== undefined && html` open`}><summary><strong>${texts.password}</strong><span class="link">${label}</span></summary><div class="unfolded">${passwordForm(view, page)}${hasPassword && passwordRemoval(view, page)}</div></details></li>`;
}

function passwordForm(view: View, { faults, email, isEmailProven, hasPassword }: SettingsMethods): Html {
  const texts = settingsTextsOf(view.language);
  const { newPassword, passwordHint, password } = textsOf(view.language);
  const address = isEmailProven
    ? html`<input type="email" name="email" value="${email ?? ''}" autocomplete="username" hidden readonly>`
    : emailField(view, { value: email ?? undefined, hint: texts.passwordEmail, faults });
  const fields = html`${address}${passwordField(view, {
    name: 'password',
    label: hasPassword ? newPassword : password,
    autocomplete: 'new-password',
    hint: passwordHint,
    faults,
  })}${isEmailProven && html`<p class="hint">${texts.passwordEnds}</p>`}<button class="button">${texts.passwordSave}</button>`;
  return action(view, isEmailProven ? 'change-password' : 'add-password', fields);
}

function passwordRemoval(view: View, { isLastMethod }: SettingsMethods): Html {
  const texts = settingsTextsOf(view.language);
  return isLastMethod
    ? html`<p class="hint">${texts.passwordLast}</p>`
    : action(
        view,
        'remove-password',
        html`<p class="hint">${texts.passwordRemoveText}</p><button class="button">${texts.passwordRemove}</button>`,
      );
}

function passkeyForm(view: View, passkey: PasskeyOptions): Html {
  const texts = settingsTextsOf(view.language);
  return action(
    view,
    'add-passkey',
    html`${passkeyFields(passkey)}<button class="button" type="button" id="passkey-add-button">${texts.passkeyAdd}</button>`,
    html` id="passkey-add" hidden${passkeyData(view, passkey, texts.passkeyFailed)}`,
  );
}

export interface PasswordCodePage {
  /** The state of the mail with the code. */
  readonly mail: MailStatus;
  readonly signUp: string;
  readonly email: string;
  readonly faults?: Faults | undefined;
}

/** Returns the page for the code mailed to the address of a new password. */
export function passwordCodePage(view: View, { signUp, email, mail, faults }: PasswordCodePage): Page {
  const texts = textsOf(view.language);
  const own = settingsTextsOf(view.language);
  const along = html`${hidden('sign_up', signUp)}${hidden('email', email)}`;
  const content = html`${along}${mailedCodeField(view, faults)}${submit(texts.confirm)}`;
  return {
    title: texts.confirmTitle,
    isFaulty: faults !== undefined,
    address: view.address('/account'),
    body: html`<h1>${texts.confirmTitle}</h1>
${mailLine(view, mail, own.passwordCode(email))}
${action(view, 'confirm-password', content)}
<p class="switch"><a href="${view.address('/account')}">${own.title}</a></p>`,
  };
}

/** Returns the page that sends a browser to a provider. Forms must not lead there, so this page does. */
export function toProviderPage(view: View, { id, name }: OfferedProvider, location: string): Page {
  const own = settingsTextsOf(view.language);
  return {
    title: own.providerAdd(name),
    address: view.address('/account'),
    body: html`<h1>${own.providerAdd(name)}</h1>
<p class="lead">${own.providerGo(name)}</p>
${linkButton(location, html`${providerIcon(id)}<span>${textsOf(view.language).continueWith(name)}</span>`, 'primary')}
<p class="switch"><a href="${view.address('/account')}">${own.title}</a></p>`,
  };
}

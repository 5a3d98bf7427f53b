/** The page of one's own: how somebody signs in, and where they are signed in. */

import { type Html, html, type Piece } from '../../common/html.ts';
import { formatTime } from '../../common/time.ts';
import type { Overview, OwnSession } from '../../identity/built-in/own-account.ts';
import type { SetUp } from '../../identity/built-in/second-factors.ts';
import type { ProviderLink } from '../../storage/session-store.ts';
import type { Page, View } from '../document.ts';
import { type Faults, form, hidden, type Notice, noticeBox, passwordField } from '../fields.ts';
import type { Language } from '../language.ts';
import { textsOf } from '../language.ts';
import { ownTextsOf } from '../texts/own.ts';
import { setUpFields, setUpSteps } from './second-step.ts';
import type { PasskeyOptions } from './sign-in.ts';

export interface OwnAccountPage extends Overview {
  /** Whose page it is, in the words that they know themselves by. */
  readonly who: string;
  /** The address with which password managers store a new password. */
  readonly email: string | null;
  /** Undefined where there are no second factors; null for one that is not set up. */
  readonly secondFactor: { readonly createdAt: number; readonly recoveryCodes: number } | null | undefined;
  /** How a passkey can be made here, if it can. */
  readonly passkey: PasskeyOptions | undefined;
  readonly canDelete: boolean;
  /** The name of a provider by its id. */
  readonly providerName: (id: string) => string;
  readonly notice?: Notice | undefined;
  readonly faults?: Faults | undefined;
}

/** Returns the page. */
export function ownAccountPage(view: View, page: OwnAccountPage): Page {
  const texts = ownTextsOf(view.language);
  return {
    title: texts.title,
    isFaulty: page.notice?.isBad === true || page.faults !== undefined,
    address: view.address('/account'),
    body: html`<h1>${texts.title}</h1>
${noticeBox(page.notice)}
<div class="notice bad" id="passkey-notice" role="alert" hidden></div>
<p class="lead">${texts.signedInAs(page.who)}</p>
${methodsSection(view, page)}
${page.secondFactor !== undefined && secondFactorSection(view, page.secondFactor)}
${sessionsSection(view, page.sessions)}
${page.canDelete && deleteSection(view)}
${action(view, 'leave', html`<button class="button primary">${texts.leave}</button>`)}`,
  };
}

/** Returns a form that does one thing. */
function action(view: View, name: string, content: Html, attributes?: Html): Html {
  return form(view, '/account', html`${hidden('action', name)}${content}`, attributes);
}

/** Returns a small button that does one thing. `label` says to screen readers what it is about. */
function rowAction(view: View, name: string, values: Readonly<Record<string, string>>, text: string, label: string): Html {
  const fields = Object.entries(values).map(([field, value]) => hidden(field, value));
  return action(view, name, html`${fields}<button class="plain" aria-label="${label}">${text}</button>`);
}

function row(title: Piece, details: readonly (Piece | undefined)[], control: Html | undefined): Html {
  const lines = details.filter((detail) => detail !== undefined).map((detail) => html`<span class="hint">${detail}</span>`);
  return html`<li><div><strong>${title}</strong>${lines}</div>${control}</li>`;
}

/** Returns a time in words; scripts show it in the zone of the browser. */
function time(language: Language, at: number): Html {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  return html`<time datetime="${formatTime(at)}">${format.format(at)} UTC</time>`;
}

/** Puts a time into a sentence. */
function timed(write: (when: string) => string, when: Html): Html {
  const [before = '', after = ''] = write('\0').split('\0');
  return html`${before}${when}${after}`;
}

function methodsSection(view: View, page: OwnAccountPage): Html {
  const { language } = view;
  const texts = ownTextsOf(language);
  const passkeys = page.passkeys.map(({ credentialId, createdAt, lastUsedAt }) => {
    const added = timed(texts.added, time(language, createdAt));
    const used = lastUsedAt === null ? texts.neverUsed : timed(texts.lastUsed, time(language, lastUsedAt));
    const label = texts.removeWhat(`${texts.passkey}, ${formatTime(createdAt).slice(0, 10)}`);
    return row(
      texts.passkey,
      [html`${added}, ${used}`],
      rowAction(view, 'remove-passkey', { credential: credentialId }, texts.remove, label),
    );
  });
  const links = page.links.map((link) => linkRow(view, page, link));
  return html`<section><h2>${texts.methods}</h2><ul class="rows">${page.hasPassword && passwordRow(view, page)}${passkeys}${links}</ul>
${page.passkey !== undefined && passkeyForm(view, page.passkey)}</section>`;
}

function linkRow(view: View, { hasPassword, links, providerName }: OwnAccountPage, link: ProviderLink): Html {
  const texts = ownTextsOf(view.language);
  const name = providerName(link.providerId);
  const isLast = links.length === 1 && !hasPassword;
  const { providerId, issuer, subject } = link;
  return row(
    name,
    [isLast ? texts.lastMethod : texts.provider],
    isLast
      ? undefined
      : rowAction(view, 'remove-provider', { provider: providerId, issuer, subject }, texts.remove, texts.removeWhat(name)),
  );
}

function passwordRow(view: View, { faults, email }: OwnAccountPage): Html {
  const texts = ownTextsOf(view.language);
  const fields = html`<input type="email" name="email" value="${email ?? ''}" autocomplete="username" hidden readonly>${passwordField(
    view,
    {
      name: 'password',
      label: textsOf(view.language).newPassword,
      autocomplete: 'new-password',
      hint: textsOf(view.language).passwordHint,
      faults,
    },
  )}<p class="hint">${texts.passwordEnds}</p><button class="button">${texts.passwordSave}</button>`;
  return html`<li class="wide"><details${faults !== undefined && html` open`}><summary><strong>${texts.password}</strong><span class="plain">${texts.passwordChange}</span></summary><div class="unfolded">${action(view, 'change-password', fields)}</div></details></li>`;
}

function passkeyForm(view: View, { options, ticket }: PasskeyOptions): Html {
  const texts = ownTextsOf(view.language);
  return action(
    view,
    'add-passkey',
    html`${hidden('ticket', ticket)}${hidden('credential', '')}<button class="button" type="button" id="passkey-add-button">${texts.passkeyAdd}</button>`,
    html` id="passkey-add" hidden data-options="${JSON.stringify(options)}" data-failed="${texts.passkeyFailed}"`,
  );
}

function secondFactorSection(view: View, factor: Exclude<OwnAccountPage['secondFactor'], undefined>): Html {
  const texts = ownTextsOf(view.language);
  if (factor === null) {
    const button = html`<button class="button">${texts.secondSetUp}</button>`;
    return html`<section><h2>${texts.second}</h2><p>${texts.secondOff}</p>${action(view, 'begin-second-factor', button)}</section>`;
  }
  const left = new Intl.NumberFormat(view.language).format(factor.recoveryCodes);
  return html`<section><h2>${texts.second}</h2>
<p>${timed(texts.secondOn, time(view.language, factor.createdAt))} ${texts.recoveryLeft(left)}</p>
<div class="others">${action(view, 'renew-recovery-codes', html`<button class="plain">${texts.recoveryRenew}</button>`)}${action(
    view,
    'remove-second-factor',
    html`<button class="plain">${texts.secondRemove}</button>`,
  )}</div></section>`;
}

function sessionsSection(view: View, sessions: readonly OwnSession[]): Html {
  const texts = ownTextsOf(view.language);
  const rows = sessions.map((session) => sessionRow(view, session));
  const endAll = html`<button class="button">${texts.endAll}</button>`;
  return html`<section><h2>${texts.sessions}</h2>
${rows.length === 0 ? html`<p>${texts.sessionsNone}</p>` : html`<ul class="rows">${rows}</ul>`}
<p class="hint kept">${texts.sessionsHint}</p>
${rows.length > 0 && action(view, 'end-sessions', endAll)}</section>`;
}

function sessionRow(view: View, session: OwnSession): Html {
  const { language } = view;
  const texts = ownTextsOf(language);
  const { sessionId, place, createdAt, usedAt, projectName, environment, accountName } = session;
  const title = place ?? texts.sessionUnknown;
  const where = projectName === null ? accountName : `${projectName} · ${environment ?? ''}`;
  const used = timed(texts.lastUsed, time(language, usedAt));
  const since = timed(texts.since, time(language, createdAt));
  const how = howOf(language, session.amr);
  return row(
    title,
    [where, html`${used}, ${since}${how !== undefined && html`, ${how}`}`],
    rowAction(view, 'end-session', { session: sessionId }, texts.end, texts.endWhat(title)),
  );
}

function howOf(language: Language, amr: string | null): string | undefined {
  const texts = ownTextsOf(language);
  const words = amr?.split(' ') ?? [];
  if (words.includes('pop')) return texts.withPasskey;
  if (words.includes('otp')) return texts.withCode;
  return words.includes('pwd') ? texts.withPassword : undefined;
}

function deleteSection(view: View): Html {
  const texts = ownTextsOf(view.language);
  const content = html`<p>${texts.deleteText}</p>
<label class="check"><input type="checkbox" name="sure" value="yes" required>${texts.deleteSure}</label>
<button class="button danger">${texts.deleteDo}</button>`;
  return html`<section><details><summary><span class="plain">${texts.delete}</span></summary><div class="unfolded">${action(view, 'delete', content)}</div></details></section>`;
}

/** Returns the page that sets up an app. */
export function ownSetUpPage(view: View, setUp: SetUp, faults?: Faults): Page {
  const texts = ownTextsOf(view.language);
  return {
    title: texts.setUpTitle,
    isFaulty: faults !== undefined,
    address: view.address('/account'),
    body: html`<h1>${texts.setUpTitle}</h1>
<p class="lead">${texts.setUpIntro}</p>
${setUpSteps(view, setUp)}
${action(view, 'confirm-second-factor', setUpFields(view, setUp, faults))}
<p class="switch"><a href="${view.address('/account')}">${texts.title}</a></p>`,
  };
}

/** The page *Your sign-in*: a person's ways to sign in, and sessions. */

import { type Html, html } from '../../common/text/html.ts';
import type { UserSession } from '../../identity/built-in/account-settings.ts';
import type { SetUp } from '../../identity/built-in/second-factors/second-factors.ts';
import type { Page, View } from '../document.ts';
import { type Faults, type Notice, noticeBox } from '../fields.ts';
import type { Language } from '../language.ts';
import { settingsTextsOf } from '../texts/account-settings.ts';
import { methodsSection, type SettingsMethods } from './account-settings-methods.ts';
import { action, row, rowAction, time, timed } from './account-settings-parts.ts';
import { setUpFields, setUpSteps } from './second-step.ts';

export interface AccountSettingsPage extends SettingsMethods {
  /** The person's name or address, as they know it. */
  readonly who: string;
  readonly sessions: readonly UserSession[];
  /** Undefined if there are no second factors; null if none is set up. */
  readonly secondFactor: { readonly createdAt: number; readonly recoveryCodes: number } | null | undefined;
  readonly canDelete: boolean;
  /** The game whose player it is; undefined for developers. */
  readonly game: string | undefined;
  readonly notice?: Notice | undefined;
}

/** Returns the page. */
export function accountSettingsPage(view: View, page: AccountSettingsPage): Page {
  const texts = settingsTextsOf(view.language);
  return {
    title: texts.title,
    isFaulty: page.notice?.isBad === true || page.faults !== undefined,
    address: view.address('/account'),
    asksAgain: page.passkey !== undefined,
    body: html`<h1>${texts.title}</h1>
${noticeBox(page.notice)}
<div class="notice bad" id="passkey-notice" role="alert" hidden></div>
<p class="lead">${texts.signedInAs(page.who)}</p>
${methodsSection(view, page)}
${page.secondFactor !== undefined && secondFactorSection(view, page.secondFactor)}
${sessionsSection(view, page.sessions)}
${page.game !== undefined && dataSections(view, page.game)}
${page.canDelete && deleteSection(view)}
${action(view, 'leave', html`<button class="button primary">${texts.leave}</button>`)}`,
  };
}

function secondFactorSection(view: View, factor: Exclude<AccountSettingsPage['secondFactor'], undefined>): Html {
  const texts = settingsTextsOf(view.language);
  if (factor === null) {
    const button = html`<button class="button">${texts.secondSetUp}</button>`;
    return html`<section><h2>${texts.second}</h2><p>${texts.secondOff}</p>${action(view, 'begin-second-factor', button)}</section>`;
  }
  const left = new Intl.NumberFormat(view.language).format(factor.recoveryCodes);
  return html`<section><h2>${texts.second}</h2>
<p>${timed(texts.secondOn, time(view.language, factor.createdAt))} ${texts.recoveryLeft(left)}</p>
<div class="others">${action(view, 'renew-recovery-codes', html`<button class="link">${texts.recoveryRenew}</button>`)}${action(
    view,
    'remove-second-factor',
    html`<button class="link">${texts.secondRemove}</button>`,
  )}</div></section>`;
}

function sessionsSection(view: View, sessions: readonly UserSession[]): Html {
  const texts = settingsTextsOf(view.language);
  const rows = sessions.map((session) => sessionRow(view, session));
  const endAll = html`<button class="button">${texts.endAll}</button>`;
  return html`<section><h2>${texts.sessions}</h2>
${rows.length === 0 ? html`<p>${texts.sessionsNone}</p>` : html`<ul class="rows">${rows}</ul>`}
<p class="hint kept">${texts.sessionsHint}</p>
${rows.length > 0 && action(view, 'end-sessions', endAll)}</section>`;
}

function sessionRow(view: View, session: UserSession): Html {
  const { language } = view;
  const texts = settingsTextsOf(language);
  const { sessionId, label, createdAt, usedAt, projectName, environment, accountName } = session;
  const title = label ?? texts.sessionUnknown;
  const where = projectName === null ? accountName : `${projectName} · ${environment ?? ''}`;
  const used = timed(texts.lastUsed, time(language, usedAt));
  const since = timed(texts.since, time(language, createdAt));
  const how = signInMethodText(language, session.amr);
  return row(
    title,
    [where, html`${used}, ${since}${how !== undefined && html`, ${how}`}`],
    rowAction(view, 'end-session', { session: sessionId }, texts.end, texts.endWhat(title)),
  );
}

function signInMethodText(language: Language, amr: string | null): string | undefined {
  const texts = settingsTextsOf(language);
  const words = amr?.split(' ') ?? [];
  if (words.includes('pop')) return texts.withPasskey;
  if (words.includes('otp')) return texts.withCode;
  return words.includes('pwd') ? texts.withPassword : undefined;
}

function dataSections(view: View, game: string): Html {
  const texts = settingsTextsOf(view.language);
  const download = html`<button class="button">${texts.dataDownload}</button>`;
  return html`<section><h2>${texts.data}</h2><p>${texts.dataText(game)}</p>
${action(view, 'export', download, html` data-download`)}</section>
${confirmationSection(view, 'erase', { title: texts.erase, text: texts.eraseText(game), sure: texts.eraseSure, button: texts.erase })}`;
}

function deleteSection(view: View): Html {
  const texts = settingsTextsOf(view.language);
  const { delete: title, deleteText: text, deleteSure: sure, deleteDo: button } = texts;
  return confirmationSection(view, 'delete', { title, text, sure, button });
}

interface ConfirmationTexts {
  readonly title: string;
  readonly text: string;
  readonly sure: string;
  readonly button: string;
}

/** An action that cannot be undone: opened first, then confirmed. */
function confirmationSection(view: View, name: string, { title, text, sure, button }: ConfirmationTexts): Html {
  const content = html`<p>${text}</p>
<label class="check"><input type="checkbox" name="sure" value="yes" required>${sure}</label>
<button class="button danger">${button}</button>`;
  return html`<section><details><summary><span class="link">${title}</span></summary><div class="unfolded">${action(view, name, content)}</div></details></section>`;
}

/** Returns the page that sets up an app. */
export function settingsSetUpPage(view: View, setUp: SetUp, faults?: Faults): Page {
  const texts = settingsTextsOf(view.language);
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

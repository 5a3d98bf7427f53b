/** Pages that ask a developer to choose an account or create one. */
import { html } from '../../common/text/html.ts';
import type { Page, View } from '../document.ts';
import { form, hidden, submit } from '../fields.ts';
import { textsOf } from '../language.ts';
import type { OfferedAccount } from '../login-dependencies.ts';
import type { ContinuePage } from './continue.ts';

export interface ChooseAccountPage {
  /** Sent in a body, never in an address. */
  readonly idToken: string;
  readonly accounts: readonly OfferedAccount[];
  /** The account last chosen in this browser. */
  readonly chosen: string | undefined;
}

/** Returns the page with a button per account. */
export function chooseAccountPage(view: View, { idToken, accounts, chosen }: ChooseAccountPage): Page {
  const texts = textsOf(view.language);
  const buttons = accounts.map(({ accountId, name, role }, index) => {
    const note = accountId === chosen ? `${texts.roles[role]} · ${texts.chosenLast}` : texts.roles[role];
    const isFirst = index === 0;
    return html`<li><button class="button account${isFirst && ' primary'}" name="account_id" value="${accountId}"${isFirst && html` autofocus`}><bdi>${name}</bdi><small>${note}</small></button></li>`;
  });
  return {
    title: texts.chooseTitle,
    address: view.address('/authorize'),
    body: html`<h1>${texts.chooseTitle}</h1>
<p class="lead">${texts.chooseText}</p>
${form(view, '/authorize/account', html`${hidden('idp_id_token', idToken)}<ul class="ways">${buttons}</ul>`)}`,
  };
}

/** Returns the page for a developer without an account, who may create one. */
export function noAccountPage(view: View, { callback, fields }: Pick<ContinuePage, 'callback' | 'fields'>): Page {
  const texts = textsOf(view.language);
  const carried = Object.entries(fields).map(([name, value]) => hidden(name, value));
  return {
    title: texts.noneTitle,
    address: view.address('/authorize'),
    body: html`<h1>${texts.noneTitle}</h1>
<p class="lead">${texts.noneText}</p>
<form method="post" action="${callback}">${carried}${submit(texts.noneMake)}</form>`,
  };
}

/** Parts of forms. */

import type { OfferedProvider } from '@holdfast/contract';
import { type Html, html, type Piece } from '../common/text/html.ts';
import { textsOf } from './language.ts';
import { providerIcon } from './look/art.ts';
import type { View } from './page-main.ts';

/** Faults by field name, in the language of the page. A field's name is also the key of its label among the texts. */
export type Faults = Readonly<Record<string, string>>;
type FieldName = 'email' | 'name' | 'password' | 'code';

/** A message above a form: an error or a hint. */
export interface Notice {
  readonly isBad: boolean;
  readonly text: Piece;
}

interface FieldOptions {
  readonly name: string;
  readonly label: Piece;
  readonly type?: 'text' | 'email';
  readonly value?: string | undefined;
  readonly autocomplete: string;
  readonly hint?: string;
  /** Shown beside the label. */
  readonly beside?: Piece;
  readonly faults?: Faults | undefined;
  readonly isFocused?: boolean;
  readonly isOptional?: boolean;
  /** Additional attributes of the input. */
  readonly attributes?: Html;
}

/** Returns a labelled field with its hint and its fault. */
export function field(options: FieldOptions): Html {
  return fieldAround(options, html`<div>${input(options, options.type ?? 'text')}</div>`);
}

/** Returns the field of an email address. */
export function emailField(
  view: View,
  { autocomplete = 'username', ...options }: Partial<Pick<FieldOptions, 'value' | 'autocomplete' | 'hint' | 'faults'>>,
): Html {
  return field({ ...options, name: 'email', label: textsOf(view.language).email, type: 'email', autocomplete });
}

/** Returns the field of a mailed code. */
export function mailedCodeField(view: View, faults: Faults | undefined): Html {
  const { code, confirmHint } = textsOf(view.language);
  return field({
    name: 'code',
    label: code,
    autocomplete: 'one-time-code',
    hint: confirmHint,
    isFocused: true,
    faults,
    attributes: html` class="code" inputmode="numeric"`,
  });
}

/** Returns a password field. Scripts can show the password. */
export function passwordField(view: View, options: FieldOptions): Html {
  const { showPassword, hidePassword } = textsOf(view.language);
  const { name, label } = options;
  return fieldAround(
    options,
    html`<div class="reveal">${input(options, 'password')}<button type="button" hidden data-reveal="${name}" data-show="${showPassword}" data-hide="${hidePassword}" data-label="${label}"></button></div>`,
  );
}

/** A fault repeats the hint, and therefore replaces it. A single fault is announced at its field. */
function fieldAround({ name, label, beside, hint, faults = {} }: FieldOptions, control: Html): Html {
  const fault = faults[name];
  const isAlone = Object.keys(faults).length === 1;
  return html`<div class="field">
<div class="label"><label for="${name}">${label}</label>${beside}</div>
${control}${
  fault === undefined
    ? hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`
    : html`<p class="fault" id="${name}-fault"${isAlone && html` role="alert"`}>${fault}</p>`
}
</div>`;
}

/** The first field with a fault gets the focus. */
function input(options: FieldOptions, type: 'text' | 'email' | 'password'): Html {
  const { name, value, autocomplete, hint, faults = {}, isFocused, isOptional, attributes } = options;
  const hasFault = faults[name] !== undefined;
  const takesFocus = isFocused === true || Object.keys(faults)[0] === name;
  const described = hasFault ? `${name}-fault` : hint !== undefined && `${name}-hint`;
  return html`<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}"${[
    value !== undefined && html` value="${value}"`,
    !isOptional && html` required`,
    type === 'email' && html` autocapitalize="none" spellcheck="false"`,
    described !== false && html` aria-describedby="${described}"`,
    hasFault && html` aria-invalid="true"`,
    takesFocus && html` autofocus`,
  ]}${attributes}>`;
}

/** Returns a form that this page may send to one of its addresses. */
export function form(view: View, path: string, content: Html, attributes?: Html): Html {
  return html`<form method="post" action="${view.address(path)}"${attributes}>${hidden('csrf', view.csrf)}${content}</form>`;
}

/** Returns a hidden field. */
export function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

/** Returns the main button of a form. */
export function submit(label: string): Html {
  return html`<button class="button primary">${label}</button>`;
}

/** Returns a link that looks like a button. */
export function linkButton(href: string, label: Piece, kind: 'primary' | 'plain' = 'plain'): Html {
  return html`<a class="button${kind === 'primary' && ' primary'}" href="${href}">${label}</a>`;
}

/** Returns the provider buttons, and the line between them and a form below; nothing if there are no providers. */
export function providerButtons(view: View, providers: readonly OfferedProvider[], hasForm: boolean): Html | undefined {
  if (providers.length === 0) return undefined;
  const texts = textsOf(view.language);
  const buttons = providers.map(({ id, name }) => {
    const address = view.address(`/authorize/with/${encodeURIComponent(id)}`);
    return html`<li>${linkButton(address, html`${providerIcon(id)}<span>${texts.continueWith(name)}</span>`)}</li>`;
  });
  return html`<ul class="ways">${buttons}</ul>${
    hasForm &&
    html`
<div class="or">${texts.or}</div>`
  }`;
}

/** Returns the message above a form. */
export function noticeBox(notice: Notice | undefined): Html | undefined {
  if (notice === undefined) return undefined;
  return html`<div class="notice${notice.isBad && ' bad'}" id="notice" role="${notice.isBad ? 'alert' : 'status'}"><p>${notice.text}</p></div>`;
}

/** Returns a list of links to the fields with faults, if there are several. Each field shows its own message. */
export function faultSummary(view: View, faults: Faults | undefined): Html | undefined {
  const names = Object.keys(faults ?? {}) as FieldName[];
  if (names.length < 2) return undefined;
  const texts = textsOf(view.language);
  return html`<div class="notice bad" role="alert"><p>${texts.faultSummary}</p><ul>${names.map(
    (name) => html`<li><a href="#${name}">${texts[name]}</a></li>`,
  )}</ul></div>`;
}

/** Names the account that an invitation is for. */
export function invitedLine({ language, invitedTo }: View): Html | undefined {
  return invitedTo === undefined
    ? undefined
    : html`<p class="lead">${textsOf(language).invited}<br><strong><bdi>${invitedTo}</bdi></strong></p>`;
}

/** Parts of the page *Your sign-in*. */

import { formatTime } from '../../common/requests/time.ts';
import { type Html, html, type Piece } from '../../common/text/html.ts';
import type { View } from '../document.ts';
import { form, hidden } from '../fields.ts';
import type { Language } from '../language.ts';

/** Returns the form of an action. */
export function action(view: View, name: string, content: Html, attributes?: Html): Html {
  return form(view, '/account', html`${hidden('action', name)}${content}`, attributes);
}

/** Returns a small button for an action. `label` names its object for screen readers. */
export function rowAction(
  view: View,
  name: string,
  values: Readonly<Record<string, string>>,
  text: string,
  label: string,
): Html {
  const fields = Object.entries(values).map(([field, value]) => hidden(field, value));
  return action(view, name, html`${fields}<button class="link" aria-label="${label}">${text}</button>`);
}

/** Returns an entry of a list. */
export function row(title: Piece, details: readonly (Piece | undefined)[], control: Html | undefined): Html {
  const lines = details.filter((detail) => detail !== undefined).map((detail) => html`<span class="hint">${detail}</span>`);
  return html`<li><div><strong>${title}</strong>${lines}</div>${control}</li>`;
}

/** Returns a time in words; scripts show it in the browser's time zone. */
export function time(language: Language, at: number): Html {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  return html`<time datetime="${formatTime(at)}">${format.format(at)} UTC</time>`;
}

/** Inserts a time into a sentence. */
export function timed(write: (when: string) => string, when: Html): Html {
  const [before = '', after = ''] = write('\0').split('\0');
  return html`${before}${when}${after}`;
}

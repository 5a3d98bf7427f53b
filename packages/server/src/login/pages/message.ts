/** Pages with one message and one link. */

import { html } from '../../common/text/html.ts';
import type { Page } from '../document.ts';
import { linkButton } from '../fields.ts';

export interface Message {
  readonly title: string;
  readonly texts: readonly string[];
  /** Where to continue, if known. */
  readonly next?: { readonly address: string; readonly label: string } | undefined;
}

/** Returns a page with a message. */
export function messagePage({ title, texts, next }: Message): Page {
  return {
    title,
    body: html`<h1>${title}</h1>
${texts.map((text) => html`<p class="lead">${text}</p>`)}
${next !== undefined && linkButton(next.address, next.label, 'primary')}`,
  };
}

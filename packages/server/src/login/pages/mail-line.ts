/** A page's text about the mail that it waits for. */
import { type Html, html } from '../../common/text/html.ts';
import type { MailStatus } from '../../identity/built-in/mails/mail-queue.ts';
import type { View } from '../document.ts';
import { textsOf } from '../language.ts';
import { time, timed } from './account-settings-parts.ts';

/** Returns the line; `sent` is its text once the mail was sent. */
export function mailLine({ language }: View, mail: MailStatus, sent: string): Html {
  const { mailFailed, mailWaiting } = textsOf(language);
  if (mail.kind === 'sent') return html`<p class="lead">${sent}</p>`;
  if (mail.kind === 'failed') return html`<p class="lead">${mailFailed}</p>`;
  return html`<p class="lead">${timed(mailWaiting, time(language, mail.until))}</p>`;
}

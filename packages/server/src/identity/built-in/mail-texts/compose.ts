/** Mails as text and HTML. */
import { type Html, html } from '../../../common/html.ts';
import type { Language } from '../directory.ts';
import type { Mail } from '../mail.ts';
import { german } from './de.ts';
import { english } from './en.ts';
import type { MailText, MailTexts, Paragraph } from './mail-text.ts';

const catalogues: Readonly<Record<Language, MailTexts>> = { de: german, en: english };

/** Returns a mail in that language; `write` chooses and fills in the text. */
export function composeMail(language: Language, to: string, write: (texts: MailTexts) => MailText): Mail {
  const written = write(catalogues[language]);
  const subject = oneLine(written.subject);
  const paragraphs = written.paragraphs.map((each) => (typeof each === 'string' ? oneLine(each) : each));
  return {
    to,
    subject,
    text: `${paragraphs.map(textOf).join('\n\n')}\n`,
    html: html`<!doctype html><html lang="${language}"><meta charset="utf-8"><title>${subject}</title><body style="font:16px/1.5 sans-serif;max-width:34em;margin:2em auto;padding:0 1em">${paragraphs.map(htmlOf)}</body></html>\n`
      .text,
  };
}

/** A project name can hold any character, but must not start a new line in the header or a new paragraph. */
const oneLine = (text: string) => text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ');

function textOf(paragraph: Paragraph): string {
  if (typeof paragraph === 'string') return paragraph;
  return 'code' in paragraph ? `    ${paragraph.code}` : paragraph.link;
}

function htmlOf(paragraph: Paragraph): Html {
  if (typeof paragraph === 'string') return html`<p>${paragraph}</p>`;
  if ('code' in paragraph) return html`<p style="font-size:28px;letter-spacing:.2em"><b>${paragraph.code}</b></p>`;
  return html`<p><a href="${paragraph.link}">${paragraph.link}</a></p>`;
}

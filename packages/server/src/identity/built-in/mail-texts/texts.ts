/** What the mails say, and how it becomes text and HTML. */
import type { Language } from '../directory.ts';
import type { Mail } from '../mail.ts';
import { german } from './de.ts';
import { english } from './en.ts';

/** A sentence or two, the code, or a link. */
export type Paragraph = string | { readonly code: string } | { readonly link: string };

export interface MailText {
  readonly subject: string;
  readonly paragraphs: readonly Paragraph[];
}

/** `brand` is the name of the project; null for developers. */
export interface MailTexts {
  /** To somebody who signs up. */
  code(brand: string | null, code: string): MailText;
  /** To somebody who has an account, when his address is used to sign up. */
  known(brand: string | null, link: string): MailText;
  reset(brand: string | null, link: string): MailText;
}

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
    html: `<!doctype html><html lang="${language}"><meta charset="utf-8"><title>${escapeHtml(subject)}</title><body style="font:16px/1.5 sans-serif;max-width:34em;margin:2em auto;padding:0 1em">${paragraphs.map(htmlOf).join('')}</body></html>\n`,
  };
}

/** The name of a project can hold any character; none of them starts a new line of the header, or a paragraph of its own. */
const oneLine = (text: string) => text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ');

function textOf(paragraph: Paragraph): string {
  if (typeof paragraph === 'string') return paragraph;
  return 'code' in paragraph ? `    ${paragraph.code}` : paragraph.link;
}

function htmlOf(paragraph: Paragraph): string {
  if (typeof paragraph === 'string') return `<p>${escapeHtml(paragraph)}</p>`;
  if ('code' in paragraph) return `<p style="font-size:28px;letter-spacing:.2em"><b>${escapeHtml(paragraph.code)}</b></p>`;
  return `<p><a href="${escapeHtml(paragraph.link)}">${escapeHtml(paragraph.link)}</a></p>`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] as string);
}

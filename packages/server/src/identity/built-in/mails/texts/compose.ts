/** Mails as text and HTML. The console previews them with this too, so nothing here needs Node. */
import { type Html, html } from '../../../../common/text/html.ts';
import type { Language } from '../../directory.ts';
import { german } from './de.ts';
import { english } from './en.ts';
import { logoContentId, type MailBrand, serviceBrand } from './mail-brand.ts';
import type { Mail, MailText, MailTexts, Paragraph } from './mail-text.ts';

const catalogues: Readonly<Record<Language, MailTexts>> = { de: german, en: english };

/** Returns a mail in that language and look; `write` chooses and fills in the text. */
export function composeMail(
  language: Language,
  to: string,
  write: (texts: MailTexts) => MailText,
  brand: MailBrand = serviceBrand,
): Mail {
  const written = write(catalogues[language]);
  const { greeting = null, footer = null } = brand.texts ?? {};
  const subject = oneLine(written.subject);
  const paragraphs = [...(greeting === null ? [] : [greeting]), ...written.paragraphs].map((each) =>
    typeof each === 'string' ? oneLine(each) : each,
  );
  const end = footer === null ? [] : footer.split('\n').map(oneLine);
  return {
    to,
    subject,
    text: `${[...paragraphs.map(textOf), ...(end.length > 0 ? [end.join('\n')] : [])].join('\n\n')}\n`,
    html: htmlOf(language, subject, paragraphs, end, brand),
    ...(brand.logo !== null && { logo: brand.logo }),
  };
}

/** A project name can hold any character, but must not start a new line in the header or a new paragraph. */
const oneLine = (text: string) => text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ');

function textOf(paragraph: Paragraph): string {
  if (typeof paragraph === 'string') return paragraph;
  return 'code' in paragraph ? `    ${paragraph.code}` : paragraph.link;
}

/** One table in the middle of another, with styles in place: mail programs apply little else. */
function htmlOf(
  language: Language,
  subject: string,
  paragraphs: readonly Paragraph[],
  footer: readonly string[],
  { name, colours, logo }: MailBrand,
): string {
  const { background, surface, text, muted, hairline } = colours;
  const shownName = oneLine(name);
  const header =
    logo === null
      ? html`<b style="font-size:20px">${shownName}</b>`
      : html`<img src="cid:${logoContentId}" alt="${shownName}" height="48" style="display:block;max-width:240px;height:48px;border:0">`;
  const below =
    footer.length > 0 &&
    html`<tr><td style="padding:16px 32px 24px;border-top:1px solid ${hairline};font-size:13px;color:${muted}">${footer.map((line) => html`${line}<br>`)}</td></tr>`;
  return html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light"><title>${subject}</title></head>
<body style="margin:0;background:${background}">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" style="background:${background}"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" style="max-width:544px;background:${surface};border:1px solid ${hairline};border-radius:12px;font:16px/1.5 -apple-system,'Segoe UI',Roboto,Arial,sans-serif;color:${text}">
<tr><td style="padding:28px 32px 0">${header}</td></tr>
<tr><td style="padding:12px 32px 20px">${paragraphs.map((each) => partOf(each, colours))}</td></tr>
${below}
</table>
</td></tr></table>
</body></html>
`.text;
}

function partOf(paragraph: Paragraph, { primary, onPrimary, hairline, muted }: MailBrand['colours']): Html {
  if (typeof paragraph === 'string') return html`<p style="margin:0 0 16px">${paragraph}</p>`;
  if ('code' in paragraph) {
    return html`<p style="margin:0 0 16px;padding:16px;border:1px solid ${hairline};border-radius:8px;text-align:center;font-size:30px;line-height:1.2;letter-spacing:.2em"><b>${paragraph.code}</b></p>`;
  }
  const { link, label } = paragraph;
  return html`<p style="margin:0 0 12px"><a href="${link}" style="display:inline-block;padding:12px 24px;border-radius:8px;background:${primary};color:${onPrimary};font-weight:600;text-decoration:none">${label}</a></p><p style="margin:0 0 16px;font-size:13px;word-break:break-all"><a href="${link}" style="color:${muted}">${link}</a></p>`;
}

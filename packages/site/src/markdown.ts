/** Converts a Markdown file to a page: title, sections, and HTML. */
import { posix } from 'node:path';
import { Html, html } from '@holdfast/server/common/html';
import hljs from 'highlight.js';
import MarkdownIt, { type Token } from 'markdown-it';

export interface Section {
  /** Empty before the first heading of the second level. */
  readonly anchor: string;
  readonly level: number;
  readonly heading: string;
  /** The text below the heading, without markup. */
  readonly text: string;
}

export interface Content {
  readonly title: string;
  readonly body: Html;
  readonly sections: readonly Section[];
}

/** The address for a link in `source` to the file `target`; undefined if the site has no such page. */
export type AddressOf = (target: string) => string | undefined;

/** Code is coloured by classes, since the pages' policy allows no inline styles. */
function coloured(code: string, language: string): Html | string {
  const known = { caddyfile: 'nginx', http: 'http' }[language] ?? language;
  if (hljs.getLanguage(known) === undefined) return code;
  return new Html(hljs.highlight(code, { language: known }).value);
}

/** Converts a page of the repository; `source` is its path there. */
export function contentOf(source: string, text: string, addressOf: AddressOf): Content {
  // HTML in a page is shown as text, except comments, which are left out.
  const markdown = new MarkdownIt({ html: false });
  const tokens = markdown.parse(text.replaceAll(/<!--.*?-->\n?/gs, ''), {});
  nameHeadings(tokens);
  markCells(tokens);
  for (const token of tokens.flatMap(({ children }) => children ?? [])) resolveLink(token, source, addressOf);
  const { rules } = markdown.renderer;
  rules.fence = (all, index) => fence(all[index]);
  rules.table_open = () => '<div class="table" tabindex="0"><table>';
  rules.table_close = () => '</table></div>';
  rules.heading_close = (all, index) => {
    const id = all[index - 2]?.attrGet('id');
    const anchor = id ? ` <a class="anchor" href="#${id}" aria-label="Link to this section">#</a>` : '';
    return `${anchor}</${all[index]?.tag}>\n`;
  };
  const sections = sectionsOf(tokens);
  const body = new Html(markdown.renderer.render(tokens, markdown.options, {}));
  return { title: sections[0]?.heading ?? source, body, sections };
}

/** Headings get the same anchors as on code forges, so that links into a page work everywhere. */
function nameHeadings(tokens: readonly Token[]): void {
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open' || token.tag === 'h1') continue;
    token.attrSet('id', anchorOf(tokens[index + 1]?.content ?? ''));
  }
}

/** An empty head cell is not a column heading. A class aligns numbers to the right. */
function markCells(tokens: readonly Token[]): void {
  for (const [index, token] of tokens.entries()) {
    if (token.attrGet('style') === 'text-align:right') token.attrs = [['class', 'number']];
    if (token.type !== 'th_open' || tokens[index + 1]?.content !== '') continue;
    token.tag = 'td';
    const close = tokens.slice(index).find(({ type }) => type === 'th_close');
    if (close !== undefined) close.tag = 'td';
  }
}

/** The anchor of a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

/** Links to files become links to their pages. Links without a page become text. */
function resolveLink(token: Token, source: string, addressOf: AddressOf): void {
  const name = token.type === 'image' ? 'src' : 'href';
  const address = String(token.attrGet(name) ?? '');
  if (address === '' || /^(?:[a-z]+:|#)/.test(address)) return;
  const [, file = '', anchor = ''] = /^([^#]*)(#.*)?$/.exec(address) ?? [];
  const target = addressOf(posix.join(posix.dirname(source), file));
  if (target === undefined) token.attrs = [['title', `In the repository: ${file}`]];
  else token.attrSet(name, target + anchor);
}

function fence({ info = '', content = '' }: Partial<Token> = {}): string {
  const [language = ''] = info.trim().split(' ');
  const label = language === '' || language === 'text' ? 'Text' : language;
  const code = coloured(content.trimEnd(), language);
  return html`<div class="code"><pre tabindex="0" aria-label="${label}"><code>${code}</code></pre></div>\n`.text;
}

function sectionsOf(tokens: readonly Token[]): Section[] {
  const sections: { anchor: string; level: number; heading: string; text: string }[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const heading = plain(tokens[index + 1]);
      sections.push({ anchor: String(token.attrGet('id') ?? ''), level: Number(token.tag.slice(1)), heading, text: '' });
    } else if (token.type === 'inline' && tokens[index - 1]?.type !== 'heading_open') add(plain(token));
    else if (token.type === 'fence') add(token.content);
  }
  return sections;

  function add(text: string): void {
    const last = sections.at(-1);
    if (last !== undefined) last.text += `${last.text === '' ? '' : ' '}${text.replaceAll(/\s+/g, ' ').trim()}`;
  }
}

const plain = (token: Token | undefined): string =>
  (token?.children ?? []).map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('');

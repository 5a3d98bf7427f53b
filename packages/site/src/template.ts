/** The HTML around the content of a page. It works below any path, and has no inline script or style. */
import { type Html, html } from '@holdfast/server/common/html';
import type { Section } from './markdown.ts';
import { type Group, home, notFound, reference } from './pages.ts';
import type { Reference } from './reference/page.ts';

export interface Frame {
  readonly slug: string;
  readonly title: string;
  readonly about: string;
  readonly content: Html;
  readonly sections: readonly Section[];
  /** Titles by slug. */
  readonly titles: ReadonlyMap<string, string>;
  readonly groups: readonly Group[];
  readonly subjects: Reference['subjects'];
  readonly assets: { readonly theme: string; readonly script: string; readonly style: string };
}

/** The address of a page for links from another: `/docs` has no trailing slash. */
export function addressFrom(slug: string, target: string): string {
  if (slug === home.slug) return target === home.slug ? 'docs' : `docs/${target}`;
  const up = '../'.repeat(slug.split('/').length - 1);
  return target === home.slug ? `${up}../docs` : `${up}${target}`;
}

/** The whole page. The service replaces `__VERSION__` by its version, and `__BASE_URL__` by its address. */
export function pageHtml(frame: Frame): string {
  const { slug, title, about, assets } = frame;
  const to = (target: string) => addressFrom(slug, target);
  const name = slug === home.slug ? 'Holdfast documentation' : `${title} · Holdfast`;
  return html`<!doctype html>
<html lang="en" data-docs="${to('') || './'}" data-here="${slug}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${about}">
${isReference(slug) && html`<meta name="holdfast-base-url" content="__BASE_URL__">\n`}<title>${name}</title>
<link rel="icon" href="${to('images/logo.svg')}">
${hasMarkdown(slug) && html`<link rel="alternate" type="text/markdown" href="${to(`${slug}.md`)}">\n`}<script src="${to(assets.theme)}"></script>
<link rel="stylesheet" href="${to(assets.style)}">
<script type="module" src="${to(assets.script)}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the page</a>
${header(to)}
<div class="columns${isSubject(slug) && ' wide'}">
${menu(frame, to)}
<main id="content" tabindex="-1">
<article>
${frame.content}
${slug === home.slug && [cards(frame, to), routeList(frame, to)]}
</article>
${foot(frame, to)}
</main>
${outlineOf(frame)}
</div>
</body>
</html>
`.text;
}

const isSubject = (slug: string) => slug.startsWith(`${reference.slug}/`);
const isReference = (slug: string) => slug === reference.slug || isSubject(slug);
const hasMarkdown = (slug: string) => !isReference(slug) && slug !== notFound.slug;

type To = (target: string) => string;

/** Each part in a line. */
const lines = (parts: readonly Html[]): Html => html`${parts.map((part, index) => (index === 0 ? part : html`\n${part}`))}`;

function header(to: To): Html {
  return html`<header class="top">
<button type="button" class="button small" id="menu-button" aria-expanded="false" aria-controls="menu">Menu</button>
<a class="wordmark" href="${to(home.slug)}"><img src="${to('images/logo.svg')}" alt="" width="26" height="26">Holdfast</a>
<span class="version">__VERSION__</span>
<button type="button" class="button small search" id="search-button"><span>Search</span> <kbd>/</kbd></button>
<nav aria-label="Elsewhere"><a href="${to(reference.slug)}">API</a><a href="${to('../console/')}" id="console-link">Console</a></nav>
<button type="button" class="button small" id="theme-button">Theme</button>
</header>`;
}

function menu({ slug, groups, titles, subjects }: Frame, to: To): Html {
  const link = (target: string, title: string) =>
    html`<li><a href="${to(target)}"${isHere(target === slug)}>${title}</a></li>`;
  const sections = groups.map(({ title, pages }) => {
    const links = pages.map((page) => link(page.slug, titles.get(page.slug) ?? page.slug));
    if (title === 'Reference') links.unshift(html`${link(reference.slug, reference.title)}${branch(slug, subjects, to)}`);
    return html`<section><h2>${title}</h2><ul>\n${lines(links)}\n</ul></section>`;
  });
  return html`<nav id="menu" aria-label="Documentation">\n${lines(sections)}\n</nav>`;
}

/** Marks the link to the page that is shown. */
const isHere = (is: boolean) => is && html` aria-current="page"`;

/** The subjects of the reference, and the operations of the one that is shown. Undefined on other pages. */
function branch(here: string, subjects: Frame['subjects'], to: To): Html | undefined {
  if (!isReference(here)) return undefined;
  const items = subjects.map(({ slug, title, operations }) => {
    const links = operations.map(
      ({ operation: { operationId, summary } }) => html`<li><a href="#${operationId}">${summary}</a></li>`,
    );
    const own = slug === here && html`<ul data-outline>\n${lines(links)}\n</ul>`;
    return html`<li><a href="${to(slug)}"${isHere(slug === here)}>${title}</a>${own}</li>`;
  });
  return html`<li><ul class="branch">\n${lines(items)}\n</ul></li>`;
}

function cards({ groups, titles }: Frame, to: To): Html {
  const card = (slug: string, title: string, about: string) =>
    html`<li><a href="${to(slug)}"><strong>${title}</strong> <span>${about}</span></a></li>`;
  const ofGroups = groups.map(({ title, about, pages }) => {
    const links = pages.map((page) => card(page.slug, titles.get(page.slug) ?? page.slug, page.about));
    if (title === 'Reference') links.unshift(card(reference.slug, reference.title, reference.about));
    return html`<h2>${title}</h2>\n<p>${about}</p>\n<ul class="cards">\n${lines(links)}\n</ul>`;
  });
  return lines(ofGroups);
}

function routeList({ subjects }: Frame, to: To): Html {
  const rows = subjects.flatMap(({ slug, operations }) =>
    operations.map(({ method, path, operation: { operationId, summary } }) => {
      const route = html`<a href="${to(slug)}#${operationId}"><code>${method.toUpperCase()} ${path}</code></a>`;
      return html`<tr><td>${route}</td><td>${summary}</td></tr>`;
    }),
  );
  return html`<h2>Every route</h2>\n<div class="table routes" tabindex="0"><table>\n${lines(rows)}\n</table></div>`;
}

function foot({ slug, groups, titles, subjects }: Frame, to: To): Html {
  const all = groups.flatMap(({ title, pages }) => {
    const own = pages.map(({ slug: one }) => one);
    return title === 'Reference' ? [reference.slug, ...subjects.map(({ slug: one }) => one), ...own] : own;
  });
  const here = all.indexOf(slug);
  const step = (index: number, label: string, rel: string) => {
    const page = here < 0 ? undefined : all[index];
    if (page === undefined) return html`<span></span>`;
    return html`<a rel="${rel}" href="${to(page)}"><small>${label}</small>${titles.get(page) ?? page}</a>`;
  };
  const markdown = hasMarkdown(slug) && html`<a href="${to(`${slug}.md`)}">This page as Markdown</a> · `;
  return html`<footer>
<nav class="steps" aria-label="Next and previous page">${step(here - 1, 'Previous', 'prev')}${step(here + 1, 'Next', 'next')}</nav>
<p>${markdown}<a href="${to('../llms.txt')}">llms.txt</a> · <a href="${to('../openapi.json')}">openapi.json</a> · Apache-2.0</p>
</footer>`;
}

function outlineOf({ slug, sections }: Frame): Html | undefined {
  if (isSubject(slug)) return undefined;
  const shown = sections.filter(({ level, anchor }) => anchor !== '' && level <= 3);
  if (shown.length < 2) return html`<aside class="outline"></aside>`;
  const links = shown.map(
    ({ anchor, heading, level }) => html`<li class="level-${level}"><a href="#${anchor}">${heading}</a></li>`,
  );
  return html`<aside class="outline" data-outline><nav aria-label="On this page"><h2>On this page</h2><ul>\n${lines(links)}\n</ul></nav></aside>`;
}

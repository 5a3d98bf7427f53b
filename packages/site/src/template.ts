/** The HTML around the content of a page. It works below any path, and has no inline script or style. */
import { escaped, type Section } from './markdown.ts';
import { type Group, home, notFound, reference } from './pages.ts';
import type { Reference } from './reference/page.ts';

export interface Frame {
  readonly slug: string;
  readonly title: string;
  readonly about: string;
  readonly content: string;
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
  return `<!doctype html>
<html lang="en" data-docs="${to('') || './'}" data-here="${slug}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${escaped(about)}">
${isReference(slug) ? '<meta name="holdfast-base-url" content="__BASE_URL__">\n' : ''}<title>${escaped(name)}</title>
<link rel="icon" href="${to('images/logo.svg')}">
${hasMarkdown(slug) ? `<link rel="alternate" type="text/markdown" href="${to(`${slug}.md`)}">\n` : ''}<script src="${to(assets.theme)}"></script>
<link rel="stylesheet" href="${to(assets.style)}">
<script type="module" src="${to(assets.script)}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the page</a>
${header(to)}
<div class="columns${isSubject(slug) ? ' wide' : ''}">
${menu(frame, to)}
<main id="content" tabindex="-1">
<article>
${frame.content}
${slug === home.slug ? cards(frame, to) + routeList(frame, to) : ''}
</article>
${foot(frame, to)}
</main>
${outlineOf(frame)}
</div>
</body>
</html>
`;
}

const isSubject = (slug: string) => slug.startsWith(`${reference.slug}/`);
const isReference = (slug: string) => slug === reference.slug || isSubject(slug);
const hasMarkdown = (slug: string) => !isReference(slug) && slug !== notFound.slug;

type To = (target: string) => string;

function header(to: To): string {
  return `<header class="top">
<button type="button" class="button small" id="menu-button" aria-expanded="false" aria-controls="menu">Menu</button>
<a class="wordmark" href="${to(home.slug)}"><img src="${to('images/logo.svg')}" alt="" width="26" height="26">Holdfast</a>
<span class="version">__VERSION__</span>
<button type="button" class="button small search" id="search-button"><span>Search</span> <kbd>/</kbd></button>
<nav aria-label="Elsewhere"><a href="${to(reference.slug)}">API</a><a href="${to('../console/')}" id="console-link">Console</a></nav>
<button type="button" class="button small" id="theme-button">Theme</button>
</header>`;
}

function menu({ slug, groups, titles, subjects }: Frame, to: To): string {
  const link = (target: string, title: string) =>
    `<li><a href="${to(target)}"${target === slug ? ' aria-current="page"' : ''}>${escaped(title)}</a></li>`;
  const sections = groups.map(({ title, pages }) => {
    const links = pages.map((page) => link(page.slug, titles.get(page.slug) ?? page.slug));
    if (title === 'Reference') links.unshift(`${link(reference.slug, reference.title)}${branch(slug, subjects, to)}`);
    return `<section><h2>${title}</h2><ul>\n${links.join('\n')}\n</ul></section>`;
  });
  return `<nav id="menu" aria-label="Documentation">\n${sections.join('\n')}\n</nav>`;
}

/** The subjects of the reference, and the operations of the one that is shown. Empty on other pages. */
function branch(here: string, subjects: Frame['subjects'], to: To): string {
  if (!isReference(here)) return '';
  const items = subjects.map(({ slug, title, operations }) => {
    const isHere = slug === here;
    const links = operations.map(
      ({ operation: { operationId, summary } }) => `<li><a href="#${operationId}">${escaped(summary)}</a></li>`,
    );
    const own = isHere ? `<ul data-outline>\n${links.join('\n')}\n</ul>` : '';
    return `<li><a href="${to(slug)}"${isHere ? ' aria-current="page"' : ''}>${escaped(title)}</a>${own}</li>`;
  });
  return `<li><ul class="branch">\n${items.join('\n')}\n</ul></li>`;
}

function cards({ groups, titles }: Frame, to: To): string {
  const card = (slug: string, title: string, about: string) =>
    `<li><a href="${to(slug)}"><strong>${escaped(title)}</strong> <span>${escaped(about)}</span></a></li>`;
  return groups
    .map(({ title, about, pages }) => {
      const links = pages.map((page) => card(page.slug, titles.get(page.slug) ?? page.slug, page.about));
      if (title === 'Reference') links.unshift(card(reference.slug, reference.title, reference.about));
      return `<h2>${title}</h2>\n<p>${about}</p>\n<ul class="cards">\n${links.join('\n')}\n</ul>`;
    })
    .join('\n');
}

function routeList({ subjects }: Frame, to: To): string {
  const rows = subjects.flatMap(({ slug, operations }) =>
    operations.map(({ method, path, operation: { operationId, summary } }) => {
      const route = `<a href="${to(slug)}#${operationId}"><code>${method.toUpperCase()} ${escaped(path)}</code></a>`;
      return `<tr><td>${route}</td><td>${escaped(summary)}</td></tr>`;
    }),
  );
  return `<h2>Every route</h2>\n<div class="table routes" tabindex="0"><table>\n${rows.join('\n')}\n</table></div>`;
}

function foot({ slug, groups, titles, subjects }: Frame, to: To): string {
  const all = groups.flatMap(({ title, pages }) => {
    const own = pages.map(({ slug: one }) => one);
    return title === 'Reference' ? [reference.slug, ...subjects.map(({ slug: one }) => one), ...own] : own;
  });
  const here = all.indexOf(slug);
  const step = (index: number, label: string, rel: string) => {
    const page = here < 0 ? undefined : all[index];
    if (page === undefined) return '<span></span>';
    return `<a rel="${rel}" href="${to(page)}"><small>${label}</small>${escaped(titles.get(page) ?? page)}</a>`;
  };
  const markdown = !hasMarkdown(slug) ? '' : `<a href="${to(`${slug}.md`)}">This page as Markdown</a> · `;
  return `<footer>
<nav class="steps" aria-label="Next and previous page">${step(here - 1, 'Previous', 'prev')}${step(here + 1, 'Next', 'next')}</nav>
<p>${markdown}<a href="${to('../llms.txt')}">llms.txt</a> · <a href="${to('../openapi.json')}">openapi.json</a> · Apache-2.0</p>
</footer>`;
}

function outlineOf({ slug, sections }: Frame): string {
  if (isSubject(slug)) return '';
  const shown = sections.filter(({ level, anchor }) => anchor !== '' && level <= 3);
  if (shown.length < 2) return '<aside class="outline"></aside>';
  const links = shown.map(
    ({ anchor, heading, level }) => `<li class="level-${level}"><a href="#${anchor}">${escaped(heading)}</a></li>`,
  );
  return `<aside class="outline" data-outline><nav aria-label="On this page"><h2>On this page</h2><ul>\n${links.join('\n')}\n</ul></nav></aside>`;
}

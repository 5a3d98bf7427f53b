/** Builds the site: every page as HTML, the files that pages load, and the search texts. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openApiDocument } from '@holdfast/contract/openapi';
import { html } from '@holdfast/server/common/html';
import { build } from 'vite';
import { type Content, contentOf } from './markdown.ts';
import { groups, home, notFound, type Page } from './pages.ts';
import { referenceOf } from './reference/page.ts';
import { addressFrom, type Frame, pageHtml } from './template.ts';

const root = join(import.meta.dirname, '../../..');
const everyPage: readonly Page[] = [home, ...groups.flatMap(({ pages }) => pages)];
/** The service inserts its addresses when it serves the pages. */
const described = openApiDocument({ baseUrl: '__BASE_URL__', authFrontUrl: '__AUTH_FRONT_URL__' });
const { first, subjects } = referenceOf(described);
const referencePages = [first, ...subjects];
const slugs = new Map(everyPage.map(({ source, slug }) => [source, slug]));

const notFoundContent = html`<h1>There is no such page</h1>
<p>The page may have another name by now, or the address has a typing error. Search for it with <kbd>/</kbd>, choose one from the menu, or
begin at <a href="../docs">the first page</a>.</p>`;

/** A search target: page, anchor, title of the page, heading, text. */
type Found = readonly [slug: string, anchor: string, title: string, heading: string, text: string];

/** Writes the site into a folder. */
export async function buildSite(folder: string): Promise<void> {
  const assets = await buildAssets(folder);
  const images = new Set(['docs/images/logo.svg']);
  const contents = new Map(everyPage.map((page) => [page, read(page, images)]));
  const named = [...[...contents].map(([{ slug }, { title }]) => ({ slug, title })), ...referencePages];
  const titles = new Map(named.map(({ slug, title }) => [slug, title]));
  const frame = (page: Pick<Frame, 'slug' | 'title' | 'about' | 'content' | 'sections'>) =>
    pageHtml({ ...page, titles, groups, assets, subjects });
  for (const [{ slug, about }, { title, body, sections }] of contents) {
    write(folder, `${slug}.html`, frame({ slug, title, about, content: body, sections }));
  }
  write(folder, 'not-found.html', frame({ ...notFound, content: notFoundContent, sections: [] }));
  for (const page of referencePages) write(folder, `${page.slug}.html`, frame({ ...page, sections: [] }));
  write(
    folder,
    'search.json',
    `[\n${found(contents)
      .map((each) => JSON.stringify(each))
      .join(',\n')}\n]\n`,
  );
  const menu = groups.map(({ title, pages }) => ({
    title,
    pages: pages.map(({ slug, source, about }) => ({ slug, source, title: titles.get(slug), about })),
  }));
  const files = {
    home: { ...home, title: titles.get(home.slug) },
    groups: menu,
    reference: referencePages.map(({ slug }) => slug),
    assets: assets.all,
    images: [...images].sort(),
  };
  write(folder, 'site.json', `${JSON.stringify(files, null, 2)}\n`);
}

function read({ slug, source }: Page, images: Set<string>): Content {
  return contentOf(source, readFileSync(join(root, source), 'utf8'), (target) => {
    if (/^docs\/images\/[\w-]+\.\w+$/.test(target)) {
      images.add(target);
      return addressFrom(slug, target.slice('docs/'.length));
    }
    const other = slugs.get(target);
    return other === undefined ? undefined : addressFrom(slug, other);
  });
}

function found(contents: ReadonlyMap<Page, Content>): Found[] {
  const sections = [...contents].flatMap(([{ slug }, { title, sections: all }]) =>
    all.map(({ anchor, heading, text }): Found => [slug, anchor, title, heading, text]),
  );
  const operations = subjects.flatMap(({ slug, title, operations: all }) =>
    all.map(({ method, path, operation: { operationId, summary, description = '' } }): Found => {
      const text = `${method.toUpperCase()} ${path} ${description.replaceAll(/[\s`]+/g, ' ')}`;
      return [slug, operationId, title, summary, text];
    }),
  );
  return [...sections, ...operations];
}

/** Bundles scripts and style, with names that depend on their contents. */
async function buildAssets(folder: string): Promise<Frame['assets'] & { readonly all: readonly string[] }> {
  const browser = join(import.meta.dirname, 'browser');
  const result = await build({
    root: browser,
    configFile: false,
    base: './',
    logLevel: 'error',
    build: {
      outDir: folder,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      target: 'es2023',
      rolldownOptions: { input: { theme: join(browser, 'theme.ts'), site: join(browser, 'site.ts') } },
    },
  });
  const outputs = (Array.isArray(result) ? result : [result]).flatMap((one) => ('output' in one ? one.output : []));
  const named = (pattern: RegExp) => outputs.find(({ fileName }) => pattern.test(fileName))?.fileName ?? '';
  const all = outputs.map(({ fileName }) => fileName).sort();
  return { theme: named(/theme-.*\.js$/), script: named(/site-.*\.js$/), style: named(/\.css$/), all };
}

function write(folder: string, name: string, text: string): void {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

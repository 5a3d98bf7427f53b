/**
 * The documentation: pages built in advance and committed (`packages/site/dist`), their Markdown sources, and lists of them for programs.
 * Each page is compressed on first use, then kept; only built pages are served.
 */

import { memoised } from '../../common/async/memoised.ts';
import { readProgramBytes, readProgramText } from '../../common/program/program-files.ts';
import { programVersion } from '../../common/program/version.ts';
import { Refusal } from '../../common/requests/refusal.ts';
import { html } from '../../common/text/html.ts';
import type { HandlersOf } from '../operation-request.ts';
import { keptForEver, keptForFiveMinutes, neverKept } from '../replies/caching.ts';
import { inCodings, type PreparedReply, prepareReply, type TextRequest } from '../replies/compression.ts';
import { type AsText, emptyReply, headerList, type Reply } from '../replies/reply.ts';
import { wantsPage } from '../wire/accepts.ts';

interface Page {
  readonly slug: string;
  /** The page's Markdown, as a path in the repository. */
  readonly source: string;
  readonly title: string;
  readonly about: string;
}

/** The output of `packages/site/src/build.ts`. */
export interface Site {
  readonly home: Page;
  readonly groups: readonly { readonly title: string; readonly pages: readonly Page[] }[];
  /** Slugs of the pages of the HTTP reference, which have no Markdown. */
  readonly reference: readonly string[];
  /** Files in the site's folder whose names change with their content. */
  readonly assets: readonly string[];
  /** Pictures, as paths in the repository. */
  readonly images: readonly string[];
}

const mediaTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  json: 'application/json',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
  woff2: 'font/woff2',
};
const noSniffing = ['X-Content-Type-Options', 'nosniff'] as const;
const pageHeaders = [...keptForFiveMinutes, ...noSniffing];
const assetHeaders = [...keptForEver, ...noSniffing];

/** No inline scripts or styles, external resources or framing. */
const pagePolicy: readonly string[] = [
  'Content-Security-Policy',
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ...headerList({ 'Referrer-Policy': 'no-referrer', 'Cross-Origin-Opener-Policy': 'same-origin' }),
];
const documentationPageHeaders: readonly string[] = [...pageHeaders, ...pagePolicy];

type Ids =
  | 'readDocumentation'
  | 'readReference'
  | 'readDocumentationPage'
  | 'readDocumentationList'
  | 'readDocumentationText';

export interface DocumentationOptions {
  /** Known once the service listens. */
  readonly baseUrl: () => string;
  /** The login page's address; the base URL if undefined. */
  readonly authFrontUrl?: string | undefined;
}

/** The documentation's handlers. They need no credential. */
export function documentationHandlers(options: DocumentationOptions): HandlersOf<Ids> {
  const { baseUrl } = options;
  const home = memoised(() => prepareFile('index.html', options));
  const reference = memoised(() => prepareFile('reference.html', options));
  const list = memoised(() => prepareReply('text/plain; charset=utf-8', listOf(readSite(), baseUrl()), pageHeaders));
  const text = memoised(() => prepareReply('text/plain; charset=utf-8', textOf(readSite(), baseUrl()), pageHeaders));
  const missing = memoised(async () => missingPage(baseUrl()));
  let makers: ReadonlyMap<string, () => Promise<PreparedReply>> | undefined;
  return {
    readDocumentation: async ({ headers }) => (await home())(headers),
    readReference: async ({ headers }) => (await reference())(headers),
    readDocumentationPage: async ({ params: { docsPath: path }, headers }) => {
      if (path === '') return emptyReply(303, [...neverKept, 'Location', `${baseUrl()}/docs`]);
      makers ??= makersOf(readSite(), options);
      const make = makers.get(path);
      if (make === undefined && wantsPage(headers)) return (await missing())(headers);
      if (make === undefined) throw new Refusal('not_found', 'there is no such page; /docs lists all of them');
      return (await make())(headers);
    },
    readDocumentationList: async ({ headers }) => (await list())(headers),
    readDocumentationText: async ({ headers }) => (await text())(headers),
  };
}

/** Returns a file of the site. */
function readSiteText(name: string): string {
  return readProgramText(new URL(`../../../../site/dist/${name}`, import.meta.url));
}

const readSite = (): Site => JSON.parse(readSiteText('site.json'));
const pagesOf = ({ home, groups }: Site): readonly Page[] => [home, ...groups.flatMap(({ pages }) => pages)];
/** The paths of Markdown and pictures are relative to the repository. */
const readSource = (path: string) => readProgramText(new URL(`../../../../../${path}`, import.meta.url));
const readPicture = (path: string) => readProgramBytes(new URL(`../../../../../${path}`, import.meta.url));

/** Maps every path under `/docs/` to the function that prepares it on first use. No other file is ever read. */
function makersOf(site: Site, options: DocumentationOptions): Map<string, () => Promise<PreparedReply>> {
  const makers = new Map<string, () => Promise<PreparedReply>>();
  for (const { slug, source } of pagesOf(site)) {
    if (slug !== site.home.slug) makers.set(slug, () => prepareFile(`${slug}.html`, options));
    const markdown = () => withAddress(readSource(source), options.baseUrl());
    makers.set(`${slug}.md`, () => prepareReply(typeOf('.md'), markdown(), pageHeaders));
  }
  for (const slug of site.reference) makers.set(slug, () => prepareFile(`${slug}.html`, options));
  makers.set('search.json', () => prepareFile('search.json', options));
  for (const name of site.assets) {
    const make = name.endsWith('.woff2')
      ? async () => font(name)
      : () => prepareReply(typeOf(name), readSiteText(name), assetHeaders);
    makers.set(name, make);
  }
  for (const path of site.images) makers.set(path.replace(/^docs\//, ''), async () => picture(path));
  return new Map([...makers].map(([path, make]) => [path, memoised(make)]));
}

/** The address in the examples of the pages, except in readiness checks, which run on the service's machine. */
const exampleAddress = /http:\/\/127\.0\.0\.1:8787(?!\/readyz)/g;
const everyAddress = /^http:\/\/(?:0\.0\.0\.0|\[::\])(?=:)/;

/** The text with this service's address in its examples: the configured one, or the one that works on this machine. */
const withAddress = (text: string, baseUrl: string): string =>
  text.replaceAll(exampleAddress, () => baseUrl.replace(everyAddress, 'http://127.0.0.1'));

/** A file of the site, with this service's version and addresses. */
function prepareFile(name: string, { baseUrl, authFrontUrl = baseUrl() }: DocumentationOptions): Promise<PreparedReply> {
  if (!name.endsWith('.html')) return prepareReply(typeOf(name), readSiteText(name), pageHeaders);
  const text = readSiteText(name)
    .replaceAll('__VERSION__', programVersion())
    .replaceAll('__AUTH_FRONT_URL__', () => html`${authFrontUrl}`.text)
    .replaceAll('__BASE_URL__', () => html`${baseUrl()}`.text);
  return prepareReply(typeOf(name), withAddress(text, html`${baseUrl()}`.text), documentationPageHeaders);
}

/** The page for a missing address. It is the same for every address, so its links are absolute paths. */
function missingPage(baseUrl: string): (request: TextRequest) => Promise<Reply> {
  const folder = `${baseUrl}/docs/`;
  const text = readSiteText('not-found.html')
    .replace('__VERSION__', programVersion())
    .replaceAll(
      /(href|src|data-docs)="([^"#:]*)"/g,
      (_, name: string, link: string) => `${name}="${new URL(link, folder).pathname}"`,
    );
  const reply = inCodings(Buffer.from(text), (body, coding): Reply => {
    const own = { Vary: 'Accept, Accept-Encoding, Origin', 'Content-Encoding': coding, 'Content-Type': typeOf('.html') };
    const length = { 'Cache-Control': 'no-store', 'Content-Length': String(body.length) };
    return { status: 404, headers: [...pagePolicy, ...headerList({ ...own, ...length })], body };
  });
  return ({ 'accept-encoding': acceptEncoding }) => reply(acceptEncoding);
}

const typeOf = (name: string): string => mediaTypes[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';

const picture = (path: string) => asItIs(path, readPicture(path), pageHeaders);
const font = (name: string) =>
  asItIs(name, readProgramBytes(new URL(`../../../../site/dist/${name}`, import.meta.url)), assetHeaders);

/** Pictures and fonts are compressed already, or too small to benefit. */
function asItIs(path: string, body: Uint8Array, kept: readonly string[]): PreparedReply {
  const headers = [...kept, 'Content-Type', typeOf(path), 'Content-Length', String(body.length)];
  const reply: Reply<200, AsText> = { status: 200, headers, body };
  return async () => reply;
}

/** @see https://llmstxt.org */
function listOf(site: Site, baseUrl: string): string {
  const line = ({ slug, title, about }: Page) => `- [${title}](${baseUrl}/docs/${slug}.md): ${about}`;
  const groups = site.groups.map(({ title, pages }) => `## ${title}\n\n${pages.map(line).join('\n')}\n`);
  const about =
    'Self-hosted live configuration, player saves and sign-in for games and apps: a document for each project and environment, ' +
    'a private one for each player, written only by those who name the version that they replace.';
  const description = `- [OpenAPI description](${baseUrl}/openapi.json): every route, field, status and code of this service`;
  return `# Holdfast\n\n> ${about}\n\n${line(site.home)}\n${description}\n\n${groups.join('\n')}`;
}

function textOf(site: Site, baseUrl: string): string {
  return pagesOf(site)
    .map(
      ({ slug, source }) => `<!-- ${baseUrl}/docs/${slug}.md -->\n\n${withAddress(readSource(source).trim(), baseUrl)}\n`,
    )
    .join('\n\n');
}

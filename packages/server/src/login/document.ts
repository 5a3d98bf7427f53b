/** A whole page: one document that loads nothing else. */
import { LRUCache } from 'lru-cache';
import { Html, html } from '../common/html.ts';
import { markIcon, svgAddress } from '../common/mark.ts';
import { readOwnText } from '../common/own-files.ts';
import { mark, scene } from './art.ts';
import { type BrandColours, type Palette, paletteOf, paletteStyle } from './colours.ts';
import { type Language, textsOf } from './language.ts';
import type { Texts } from './texts/en.ts';

/** The brand of a page: the service itself, for developers, or a project. */
export type Brand =
  | { readonly kind: 'service' }
  | {
      readonly kind: 'project';
      readonly name: string;
      /** Base64 and its media type. */
      readonly logo: { readonly data: string; readonly mediaType: string } | null;
      readonly colours: BrandColours;
    };

/** Where the operator's terms and privacy statement are. */
export interface LegalLinks {
  readonly terms: string | undefined;
  readonly privacy: string | undefined;
}

/** What every page needs. */
export interface View {
  readonly language: Language;
  readonly brand: Brand;
  /** Of the style and the script. */
  readonly nonce: string;
  /** The address of a page of this sign-in, such as `/authorize/sign-up`, with the query that the client sent. */
  readonly address: (path: string) => string;
  /** The name of the account that an invitation leads to. */
  readonly invitedTo?: string | undefined;
  /** Whether the browser comes for the page *Your sign-in*. */
  readonly isForOwnAccount?: boolean;
  /** Links below the page. */
  readonly legal?: LegalLinks;
  /** Proves that a form comes from a page that was sent to this browser. */
  readonly csrf: string;
}

export interface Page {
  /** The title of the page, before the name of the brand. */
  readonly title: string;
  readonly body: Html;
  /** Something has to be corrected. The title begins with that. */
  readonly isFaulty?: boolean;
  /** The address to show for a page that is the response to a form. */
  readonly address?: string;
}

const withoutMargins = (text: string) => text.replace(/^\s+/gm, '');

/** The style sheet as it is sent. */
export const styleText = readAsset('style.css')
  .replace(/\/\*.*?\*\//gs, '')
  .replace(/\s*([{};,>])\s*/g, '$1')
  .replace(/:\s+/g, ':')
  .replace(/;\}/g, '}')
  .trim();

/** The script as it is sent. */
export const scriptText = withoutMargins(readAsset('browser.js').replace(/^\s*\/\/.*$/gm, ''));

function readAsset(name: string): string {
  return readOwnText(new URL(name, import.meta.url));
}

/** The colours of the service's own page. */
const servicePalettes: readonly [Palette, Palette] = [
  paletteOf({ primary: '#0d5b53', surface: '#fbf9f3', background: '#fbf9f3' }, 'light'),
  paletteOf({ primary: '#8fd3be', surface: '#0d1a18', background: '#0d1a18' }, 'dark'),
];

/** Those of the brands seen last: to find colours with enough contrast takes a third of the time of a page. */
const keptPalettes = new LRUCache<string, readonly [Palette, Palette]>({ max: 200 });

function palettesOf(colours: BrandColours): readonly [Palette, Palette] {
  const key = `${colours.primary} ${colours.surface} ${colours.background}`;
  const kept = keptPalettes.get(key);
  if (kept !== undefined) return kept;
  const palettes = [paletteOf(colours, 'light'), paletteOf(colours, 'dark')] as const;
  keptPalettes.set(key, palettes);
  return palettes;
}

/** Returns the text of a page. */
export function renderDocument(view: View, page: Page): string {
  const { language, brand, nonce } = view;
  const texts = textsOf(language);
  const [light, dark] = brand.kind === 'service' ? servicePalettes : palettesOf(brand.colours);
  const brandName = brand.kind === 'service' ? 'Holdfast' : brand.name;
  const title = `${page.isFaulty ? `${texts.error}: ` : ''}${page.title} – ${brandName}`;
  // Both texts are ours. They need no escaping, which would break them.
  const style = new Html(paletteStyle(light, dark) + styleText);
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="${themeColour(brand, light)}">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${themeColour(brand, dark)}">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="${faviconOf(brand, light)}">
<style nonce="${nonce}">${style}</style>
</head>
<body class="${brand.kind}" data-working="${texts.working}"${page.address !== undefined && html` data-address="${page.address}"`}>
${brand.kind === 'service' && serviceHeader(texts)}
<main>
${brand.kind === 'project' && projectHeader(brand)}
${page.body}
<p id="status" class="hint" role="status"></p>
${legalLinks(view)}
</main>
<script nonce="${nonce}">${new Html(scriptText)}</script>
</body>
</html>
`.text;
}

function legalLinks({ legal, language }: View): Html | undefined {
  const texts = textsOf(language);
  const links = [
    { address: legal?.terms, label: texts.terms },
    { address: legal?.privacy, label: texts.privacy },
  ].flatMap(({ address, label }) => (address === undefined ? [] : html`<a href="${address}">${label}</a>`));
  return links.length === 0 ? undefined : html`<p class="legal">${links}</p>`;
}

/** The picture in the tab of the browser: the mark of the service, or the initial of a project in its colours. */
function faviconOf(brand: Brand, palette: Palette): string {
  return brand.kind === 'service'
    ? markIcon
    : svgAddress(
        html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${palette.primary}"/><text x="16" y="23" text-anchor="middle" font-family="sans-serif" font-size="20" font-weight="700" fill="${palette['on-primary']}">${initialOf(brand.name)}</text></svg>`,
      );
}

const themeColour = (brand: Brand, palette: Palette) => (brand.kind === 'service' ? '#0c3633' : palette.bg);

function serviceHeader(texts: Texts): Html {
  return html`<header>${scene}<p class="wordmark">${mark}Holdfast</p><p class="tagline">${texts.serviceTagline} ${texts.serviceFor}.</p></header>`;
}

function projectHeader({ name, logo }: Extract<Brand, { kind: 'project' }>): Html {
  return html`<div class="brand">${
    logo === null
      ? html`<div class="monogram" aria-hidden="true">${initialOf(name)}</div>`
      : html`<img src="data:${logo.mediaType};base64,${logo.data}" alt="">`
  }<span>${name}</span></div>`;
}

function initialOf(name: string): string {
  const [initial = ''] = new Intl.Segmenter().segment(name)[Symbol.iterator]().next().value?.segment ?? '';
  return initial.toUpperCase();
}

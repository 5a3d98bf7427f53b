/** A complete page: one document that loads nothing but the fonts, from its own origin. */

import { LRUCache } from 'lru-cache';
import { readProgramText } from '../common/program/program-files.ts';
import { Html, html } from '../common/text/html.ts';
import { textsOf } from './language.ts';
import { type BrandColours, type Palette, paletteOf, paletteStyle } from './look/colours.ts';
import { initialOf, mainOf, type Page, type View } from './page-main.ts';

/** The folder of the kit, from here. */
const kit = '../../../kit/src';

/** The console serves the fonts of the kit under their own names, so a browser loads each once for both. */
const fontFolder = '/console/assets/';
const faces = readAsset(`${kit}/fonts.css`)
  .replace(/\/\*.*?\*\//gs, '')
  .replace(/\s+/g, ' ');

/** Returns the `@font-face` rules, given the path of an address of this service. */
function fontFaces(addressOf: (path: string) => string): string {
  return faces.replaceAll('./fonts/', addressOf(fontFolder).replace(/\?.*/, ''));
}

export type { Brand, LegalLinks, Page, View } from './page-main.ts';

/** Returns the picture as a data address. */
const svgAddress = (svg: Html): string => `data:image/svg+xml,${encodeURIComponent(svg.text)}`;

/** The dark green of the kelp's ground. */
const serviceColour = '#0c3633';

/** The mark of the service, strands above and a root below, on its own background. */
const markIcon = svgAddress(
  html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${serviceColour}"/><path d="M16 21V4M16 21C16 14 9 14 9 6M16 21c0-7 7-7 7-15M16 21c-2.5 3-6 2.5-8.5 7M16 21c2.5 3 6 2.5 8.5 7M16 21v7.5" fill="none" stroke="#8fd3be" stroke-width="2.5" stroke-linecap="round"/></svg>`,
);

const withoutMargins = (text: string) => text.replace(/^\s+/gm, '');

/** Returns style sheets as they are sent. */
const styleOf = (...names: readonly string[]): string =>
  names
    .map(readAsset)
    .join('')
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s*([{};,>])\s*/g, '$1')
    .replace(/:\s+/g, ':')
    .replace(/;\}/g, '}')
    .trim();

const tokens = styleOf(`${kit}/tokens.css`);
const distances = new Map([...tokens.matchAll(/(--space-[\w-]+):([^;}]+)/g)].map(([, name, value]) => [name, value]));
/** Puts distances in place of their tokens: nothing changes them, and the page is smaller. */
const withDistances = (style: string): string =>
  style.replace(/var\((--space-[\w-]+)\)/g, (token, name: string) => distances.get(name) ?? token);

const rules = withDistances(styleOf(`${kit}/base.css`, `${kit}/controls.css`, 'style.css', 'own-page.css'));
/** The style of the service's own pages, with its picture inside. */
const serviceStyle = withDistances(styleOf(`${kit}/entry.css`)).replace(
  './kelp.svg',
  `data:image/svg+xml,${encodeURIComponent(readAsset(`${kit}/kelp.svg`))}`,
);

/** Returns the tokens that a rule reads, or a token that a rule reads. */
function tokensReadBy(style: string, from = tokens): string {
  const names = new Set(`${from}${style}`.match(/(?<=var\()--[\w-]+/g));
  const read = from.replace(/(--[\w-]+):[^;}]*;?/g, (token, name: string) => (names.has(name) ? token : ''));
  return read === from ? read : tokensReadBy(style, read);
}

/** The style of all pages. */
const commonStyle = tokensReadBy(rules + serviceStyle) + rules;

/** The script, as sent. */
const scriptText = withoutMargins(readAsset('browser.js').replace(/^\s*\/\/.*$/gm, ''));

function readAsset(name: string): string {
  return readProgramText(new URL(name, import.meta.url));
}

/** The colours of recent brands. Finding colours with enough contrast takes a third of the time of a page. */
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
  const palettes = brand.kind === 'service' ? undefined : palettesOf(brand.colours);
  const brandName = brand.kind === 'service' ? 'Holdfast' : brand.name;
  const title = `${page.isFaulty ? `${texts.error}: ` : ''}${page.title} – ${brandName}`;
  // The texts are ours, and escaping would break them.
  const style = new Html(fontFaces(view.address) + commonStyle + (palettes ? paletteStyle(...palettes) : serviceStyle));
  const [ground, groundInTheDark] = palettes ? palettes.map(({ bg }) => bg) : [serviceColour, serviceColour];
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="${ground}">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${groundInTheDark}">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="${palettes ? initialIcon(brandName, palettes[0]) : markIcon}">
<style nonce="${nonce}">${style}</style>
</head>
<body class="${brand.kind}" data-working="${texts.working}"${page.address !== undefined && html` data-address="${page.address}"`}>
${mainOf(view, page)}
<script nonce="${nonce}">${new Html(scriptText)}</script>
</body>
</html>
`.text;
}

/** The icon in the browser's tab: the initial of a project in its colours. */
function initialIcon(name: string, palette: Palette): string {
  return svgAddress(
    html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${palette.primary}"/><text x="16" y="23" text-anchor="middle" font-family="sans-serif" font-size="20" font-weight="700" fill="${palette['on-primary']}">${initialOf(name)}</text></svg>`,
  );
}

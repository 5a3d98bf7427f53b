/** The content of a page. The preview in the console uses this too, so nothing here needs Node. */
import { type Html, html } from '../common/text/html.ts';
import { type Language, languageNames, languages, textsOf } from './language.ts';
import { mark } from './look/art.ts';
import type { BrandColours } from './look/colours.ts';

/** The brand of a page: the service itself, for developers, or a project. */
export type Brand =
  | { readonly kind: 'service' }
  | {
      readonly kind: 'project';
      readonly name: string;
      /** Base64 with its media type. */
      readonly logo: { readonly data: string; readonly mediaType: string } | null;
      readonly colours: BrandColours;
    };

/** Addresses of the operator's terms and privacy statement. */
export interface LegalLinks {
  readonly terms: string | undefined;
  readonly privacy: string | undefined;
}

/** Common to all pages. */
export interface View {
  readonly language: Language;
  readonly brand: Brand;
  /** Of the style and the script. */
  readonly nonce: string;
  /** Returns the address of a page of this sign-in, for example `/authorize/sign-up`, with the client's query. */
  readonly address: (path: string) => string;
  /** Returns the query that shows the page in a language; left out where that is not offered. */
  readonly inLanguage?: (language: Language) => string;
  /** The name of the account that an invitation is for. */
  readonly invitedTo?: string | undefined;
  /** Whether the browser requests the page *Your sign-in*. */
  readonly isForAccountSettings?: boolean;
  /** Whether a guest who has already played signs up. */
  readonly isUpgrade?: boolean;
  /** Links below the page. */
  readonly legal?: LegalLinks;
  /** Proves that a form was sent by a page for this browser. */
  readonly csrf: string;
}

export interface Page {
  /** The title of the page, before the name of the brand. */
  readonly title: string;
  readonly body: Html;
  /** Whether something must be corrected. The title then begins with that. */
  readonly isFaulty?: boolean;
  /** The address to show if the page is the response to a form. */
  readonly address?: string;
  /** Whether its script may request the page again. */
  readonly asksAgain?: boolean;
}

/** Returns the content of a page, below the picture of the service or the name of a project. */
export function mainOf(view: View, page: Page): Html {
  const { brand } = view;
  return html`${brand.kind === 'service' && serviceHeader}
<main>
${brand.kind === 'project' && projectHeader(brand)}
${page.body}
<p id="status" class="hint" role="status"></p>
${legalLinks(view)}
${languageChoice(view, page)}
</main>`;
}

function legalLinks({ legal, language }: View): Html | undefined {
  const texts = textsOf(language);
  const links = [
    { address: legal?.terms, label: texts.terms },
    { address: legal?.privacy, label: texts.privacy },
  ].flatMap(({ address, label }) => (address === undefined ? [] : html`<a href="${address}">${label}</a>`));
  return links.length === 0 ? undefined : html`<p class="legal">${links}</p>`;
}

/** The languages of the page, to choose from. A page that answers a form is requested again at its own address. */
function languageChoice({ inLanguage, language }: View, { address = '' }: Page): Html | undefined {
  if (inLanguage === undefined) return undefined;
  const [path = ''] = address.split('?');
  const choices = languages.map((one) =>
    one === language
      ? html`<span lang="${one}" aria-current="true">${languageNames[one]}</span>`
      : html`<a lang="${one}" hreflang="${one}" href="${path}${inLanguage(one)}">${languageNames[one]}</a>`,
  );
  return html`<nav class="languages" aria-label="${textsOf(language).languages}">${choices}</nav>`;
}

const serviceHeader: Html = html`<header><p class="wordmark">${mark}Holdfast</p></header>`;

function projectHeader({ name, logo }: Extract<Brand, { kind: 'project' }>): Html {
  return html`<div class="brand">${
    logo === null
      ? html`<div class="monogram" aria-hidden="true">${initialOf(name)}</div>`
      : html`<img src="data:${logo.mediaType};base64,${logo.data}" alt="">`
  }<span>${name}</span></div>`;
}

/** Returns the first character of a name, in upper case. */
export function initialOf(name: string): string {
  const [initial = ''] = new Intl.Segmenter().segment(name)[Symbol.iterator]().next().value?.segment ?? '';
  return initial.toUpperCase();
}

/** Previews the login page of a project, with that page's own functions, style sheet and colours. */
import base from '@holdfast/kit/base.css?raw';
import controls from '@holdfast/kit/controls.css?raw';
import { type BrandColours, paletteOf, type Scheme } from '@holdfast/server/login/colours';
import ownPage from '@holdfast/server/login/own-page.css?raw';
import { mainOf, type View } from '@holdfast/server/login/page-main';
import { signInPage } from '@holdfast/server/login/pages/sign-in';
import loginStyle from '@holdfast/server/login/style.css?raw';
import { type CSSProperties, useEffect, useMemo, useRef } from 'react';
import { isLoopback } from '../api/addresses.ts';
import { useLanguage } from '../texts/index.ts';

export interface LoginPreviewProps {
  readonly projectName: string;
  readonly colours: BrandColours;
  readonly logo: { readonly data: string; readonly mediaType: string } | null;
  readonly hasPassword: boolean;
  /** Offered providers: allowed, and set up. */
  readonly providers: readonly { readonly id: string; readonly name: string }[];
  /** The address of the login page. */
  readonly pageUrl: string;
  readonly scheme: Scheme;
  readonly frame: 'phone' | 'desktop';
}

/** The rules of a whole page, adapted to a frame: widths are those of the frame. */
const framedStyle = [base, controls, loginStyle, ownPage]
  .join('')
  .replace(/^(?:html|:root) \{/gm, ':host {')
  .replace(/^body \{/gm, '.page {')
  .replaceAll('@media (min-width', '@container (min-width')
  .replaceAll(/100svh|100vh/g, '100%')
  .concat(':host{display:block;height:100%;container-type:inline-size;overflow:auto} .page{min-height:100%;height:100%}');

let sheet: CSSStyleSheet | undefined;

function sharedSheet(): CSSStyleSheet {
  if (sheet === undefined) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(framedStyle);
  }
  return sheet;
}

export function LoginPreview({ scheme, frame, ...shown }: LoginPreviewProps) {
  const host = useRef<HTMLDivElement>(null);
  const language = useLanguage();
  const { projectName, colours, logo, hasPassword, providers, pageUrl } = shown;
  const content = useMemo(() => {
    const brand = { kind: 'project', name: projectName, colours, logo } as const;
    const view: View = { language, brand, nonce: '', address: () => '#', inLanguage: () => '#', csrf: '' };
    const passkey = isPasskeyHost(pageUrl) ? { options: {}, ticket: '' } : undefined;
    return mainOf(view, signInPage(view, { providers, hasPassword, canSignUp: true, passkey })).text;
  }, [language, projectName, colours, logo, hasPassword, providers, pageUrl]);
  useEffect(() => {
    if (host.current === null) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [sharedSheet()];
    root.innerHTML = `<div class="page project">${content}</div>`; // the page escapes user content
    begin(root);
  }, [content]);
  const style: CSSProperties = {
    ...Object.fromEntries(Object.entries(paletteOf(colours, scheme)).map(([name, colour]) => [`--${name}`, colour])),
    colorScheme: scheme,
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <div className="login-preview" data-frame={frame} style={style} tabIndex={0} role="img" aria-label={projectName}>
      <div ref={host} className="login-preview-page" inert />
    </div>
  );
}

/** What the page's script does when it loads. */
function begin(root: ShadowRoot): void {
  for (const button of root.querySelectorAll<HTMLElement>('[data-reveal]')) {
    button.textContent = button.dataset.show ?? '';
    button.hidden = false;
  }
  const passkey = root.querySelector<HTMLElement>('#passkey');
  if (passkey !== null) passkey.hidden = false;
}

/** Browsers allow passkeys only at host names, over https or at localhost. */
function isPasskeyHost(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  if (/^[\d.]+$|^\[/.test(hostname)) return false;
  return protocol === 'https:' || (isLoopback && hostname === 'localhost');
}

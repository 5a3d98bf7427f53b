/** The login page of a project as players will see it, made with the style sheet and the colours of that page itself. */
import { type BrandColours, paletteOf, type Scheme } from '@holdfast/server/login/colours';
import loginStyle from '@holdfast/server/login/style.css?raw';
import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTexts } from '../texts/index.ts';

export interface LoginPreviewProps {
  readonly projectName: string;
  readonly colours: BrandColours;
  /** As an address of an image. */
  readonly logo: string | undefined;
  readonly methods: readonly string[];
  readonly scheme: Scheme;
  readonly frame: 'phone' | 'desktop';
}

const providerNames: Readonly<Record<string, string>> = {
  'google.com': 'Google',
  'apple.com': 'Apple',
  'github.com': 'GitHub',
  'microsoft.com': 'Microsoft',
};

/** The rules of a whole page, for a frame inside of one: widths are those of the frame. */
const framedStyle = loginStyle
  .replace(/^html \{/m, ':host {')
  .replace(/^body \{/m, '.page {')
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

export function LoginPreview({ projectName, colours, logo, methods, scheme, frame }: LoginPreviewProps) {
  const host = useRef<HTMLDivElement>(null);
  const [root, setRoot] = useState<ShadowRoot>();
  useEffect(() => {
    if (host.current === null) return;
    const shadow = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    shadow.adoptedStyleSheets = [sharedSheet()];
    setRoot(shadow);
  }, []);
  const palette = paletteOf(colours, scheme);
  const style: CSSProperties = {
    ...Object.fromEntries(Object.entries(palette).map(([name, colour]) => [`--${name}`, colour])),
    colorScheme: scheme,
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <div className="login-preview" data-frame={frame} style={style} tabIndex={0} role="img" aria-label={projectName}>
      <div ref={host} className="login-preview-page" inert />
      {root !== undefined && createPortal(<PageContent {...{ projectName, logo, methods }} />, root)}
    </div>
  );
}

function PageContent({ projectName, logo, methods }: Pick<LoginPreviewProps, 'projectName' | 'logo' | 'methods'>) {
  const t = useTexts().signIn.previewTexts;
  const providers = methods.filter((one) => one !== 'password' && one !== 'anonymous');
  const hasPassword = methods.includes('password');
  return (
    <div className="page project">
      <main>
        <div className="brand">
          {logo === undefined ? (
            <div className="monogram">{[...projectName][0]?.toUpperCase()}</div>
          ) : (
            <img src={logo} alt="" />
          )}
          <span>{projectName}</span>
        </div>
        <h1>{t.title}</h1>
        <div className="body">
          {providers.length > 0 && (
            <ul className="ways">
              {providers.map((id) => (
                <li key={id}>
                  <span className="button">{t.with(providerNames[id] ?? id.replace(/^oidc\./, ''))}</span>
                </li>
              ))}
            </ul>
          )}
          {providers.length > 0 && hasPassword && <div className="or">{t.or}</div>}
          {hasPassword && (
            <>
              <div className="field">
                <div className="label">
                  <b>{t.email}</b>
                </div>
                <input readOnly />
              </div>
              <div className="field">
                <div className="label">
                  <b>{t.password}</b>
                </div>
                <input readOnly />
              </div>
              <span className="button primary">{t.submit}</span>
            </>
          )}
        </div>
      </main>
    </div>
  );
}

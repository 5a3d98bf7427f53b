/** The look of a project's login page: colours, logo, and a preview. */
import { type EndUserAuthConfigBody, logoBytesMax } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { type ChangeEvent, useMemo, useState } from 'react';
import { baseUrl } from '../api/addresses.ts';
import { type ProjectKey, projectsQuery, providersQuery } from '../api/queries.ts';
import { loginPageQuery } from '../api/sign-in.ts';
import { textsOf, useTexts } from '../texts/index.ts';
import { Button, Segments } from '../ui/controls.tsx';
import { LoginPreview } from './login-preview.tsx';
import { MailPreview } from './mail-preview.tsx';

const [useSignInSettingsTexts] = textsOf('sign-in-settings');

const colourFields = [
  ['primaryColor', 'primary', '#1f4fbf'],
  ['surfaceColor', 'surface', '#ffffff'],
  ['bgColor', 'background', '#f4f5f5'],
] as const;

interface BrandingProps {
  readonly settings: EndUserAuthConfigBody;
  readonly onChange: (part: Partial<EndUserAuthConfigBody>) => void;
}

export function Branding({ settings, onChange }: BrandingProps) {
  const s = useSignInSettingsTexts();
  const [logoFault, setLogoFault] = useState<string>();
  const chooseLogo = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    target.value = '';
    if (file === undefined) return;
    const type = (['image/png', 'image/jpeg', 'image/webp'] as const).find((one) => one === file.type);
    if (type === undefined) setLogoFault(s.settings.logoType);
    else if (file.size > logoBytesMax) setLogoFault(s.settings.logoLarge);
    else {
      setLogoFault(undefined);
      onChange({ logoData: await base64Of(file), logoMediaType: type });
    }
  };
  return (
    <fieldset className="card">
      <legend>{s.settings.branding}</legend>
      <div className="colours">
        {colourFields.map(([member, name, fallback]) => (
          <div key={member} className="colour">
            <label>
              <input
                type="color"
                value={settings[member] ?? fallback}
                onChange={(event) => onChange({ [member]: event.target.value })}
              />
              <span>{s.settings[name]}</span>
            </label>
            <code>{settings[member] ?? s.settings.default}</code>
            {settings[member] !== null && (
              <button type="button" className="link" onClick={() => onChange({ [member]: null })}>
                {s.settings.default}
              </button>
            )}
          </div>
        ))}
      </div>
      <div className="field logo-field">
        <span className="label">{s.settings.logo}</span>
        <div className="buttons">
          {settings.logoData !== null && <img alt="" src={`data:${settings.logoMediaType};base64,${settings.logoData}`} />}
          <label className="button">
            {s.settings.chooseLogo}
            <input
              type="file"
              accept="image/png,image/jpeg,image/webp"
              className="hidden-text"
              onChange={(event) => void chooseLogo(event)}
            />
          </label>
          {settings.logoData !== null && (
            <Button onClick={() => onChange({ logoData: null, logoMediaType: null })}>{s.settings.removeLogo}</Button>
          )}
        </div>
        {logoFault === undefined ? <p className="hint">{s.settings.logoHint}</p> : <p className="fault">{logoFault}</p>}
      </div>
    </fieldset>
  );
}

async function base64Of(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

export function Preview({ project, settings }: { project: ProjectKey; settings: EndUserAuthConfigBody }) {
  const t = useTexts();
  const s = useSignInSettingsTexts();
  const { data: projects } = useQuery(projectsQuery(project.accountId));
  const projectName = projects?.find(({ slug }) => slug === project.slug)?.name ?? project.slug;
  const [frame, setFrame] = useState<'phone' | 'desktop' | 'mail'>('phone');
  const [scheme, setScheme] = useState<'light' | 'dark'>('light');
  const {
    primaryColor: primary,
    surfaceColor: surface,
    bgColor: background,
    logoData,
    logoMediaType,
    allowedIdps,
  } = settings;
  const { data: pageUrl = `${baseUrl}/authorize` } = useQuery(loginPageQuery);
  const { data: configured } = useQuery(providersQuery(project.accountId));
  const colours = useMemo(() => ({ primary, surface, background }), [primary, surface, background]);
  const logo = useMemo(
    () => (logoData === null || logoMediaType === null ? null : { data: logoData, mediaType: logoMediaType }),
    [logoData, logoMediaType],
  );
  const providers = useMemo(
    () =>
      allowedIdps.flatMap((id) => {
        const provider = configured?.find(({ providerId }) => providerId === id);
        return provider === undefined ? [] : [{ id, name: provider.name }];
      }),
    [allowedIdps, configured],
  );
  return (
    <section className="preview" aria-label={s.settings.preview}>
      <h2>{s.settings.preview}</h2>
      <div className="card-bar">
        <Segments
          label={s.settings.preview}
          value={frame}
          onChange={setFrame}
          options={[
            { value: 'phone', label: s.settings.phone },
            { value: 'desktop', label: s.settings.desktop },
            { value: 'mail', label: s.settings.mail },
          ]}
        />
        {frame !== 'mail' && (
          <Segments
            label={t.nav.theme}
            value={scheme}
            onChange={setScheme}
            options={[
              { value: 'light', label: t.nav.themes.light },
              { value: 'dark', label: t.nav.themes.dark },
            ]}
          />
        )}
      </div>
      {frame === 'mail' ? (
        <MailPreview projectName={projectName} settings={settings} />
      ) : (
        <LoginPreview
          projectName={projectName}
          colours={colours}
          logo={logo}
          hasPassword={settings.allowedIdps.includes('password')}
          providers={providers}
          pageUrl={pageUrl}
          scheme={scheme}
          frame={frame}
        />
      )}
    </section>
  );
}

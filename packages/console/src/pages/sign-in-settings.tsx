/** How players sign in to a project, and how its login page looks. */
import type { EndUserAuthConfigBody } from '@holdfast/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/http.ts';
import { type ProjectKey, providersQuery, signInQuery } from '../api/queries.ts';
import { isMissing, NotFound } from '../shell/not-found.tsx';
import { useProject } from '../shell/place.ts';
import { useTexts } from '../texts/index.ts';
import { useAction } from '../ui/action.ts';
import { Button, CopyButton, Field, Notice, PageHeader } from '../ui/controls.tsx';
import { Fault } from '../ui/fault.tsx';
import { Form } from '../ui/form.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { toast } from '../ui/toasts.tsx';
import { Branding, Preview } from './sign-in-branding.tsx';

export function SignInSettingsPage() {
  const t = useTexts();
  const project = useProject();
  const settings = useQuery({ ...signInQuery(project), refetchOnWindowFocus: false });
  if (isMissing(settings.error)) return <NotFound />;
  return (
    <div className="page wide">
      <PageHeader title={t.signIn.title} lead={t.signIn.lead} />
      <Loaded query={settings} rows={8}>
        {(answer) => <SettingsForm key={project.slug} project={project} answer={answer} />}
      </Loaded>
    </div>
  );
}

const presets = ['anonymous', 'password', 'google.com', 'apple.com', 'github.com', 'microsoft.com'] as const;
const presetNames: Readonly<Record<string, string>> = {
  'google.com': 'Google',
  'apple.com': 'Apple',
  'github.com': 'GitHub',
  'microsoft.com': 'Microsoft',
};
const uriPattern =
  /^(?:https:\/\/[^\s#*]+|http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?(?:[/?][^\s#*]*)?|[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:\/[^\s#*]*)$/i;
const linesOf = (text: string) => [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '');

function SettingsForm({ project, answer }: { project: ProjectKey; answer: EndUserAuthConfigBody }) {
  const t = useTexts();
  const queries = useQueryClient();
  const { warnings = [], ...stored } = answer;
  const [edited, setEdited] = useState(stored);
  const [uris, setUris] = useState(stored.redirectUris.join('\n'));
  const next = { ...edited, redirectUris: linesOf(uris) };
  const isChanged = JSON.stringify(next) !== JSON.stringify(stored);
  const badUri = next.redirectUris.find((uri) => !uriPattern.test(uri));
  const change = (part: Partial<EndUserAuthConfigBody>) => setEdited((before) => ({ ...before, ...part }));
  const show = ({ warnings: _, ...settings }: EndUserAuthConfigBody) => {
    setEdited(settings);
    setUris(settings.redirectUris.join('\n'));
  };
  const save = useAction(async () => {
    if (!isChanged || badUri !== undefined) return;
    const answered = await call('replaceEndUserAuthConfig', { params: project, body: next });
    queries.setQueryData(signInQuery(project).queryKey, answered);
    show(answered);
    toast(t.signIn.saved);
  });
  return (
    <div className="sign-in-settings">
      <Form action={save}>
        {warnings.map(({ code, value }) => (
          <Notice key={`${code} ${value}`} kind="warn">
            {t.signIn.warnings[code](presetNames[value] ?? value)}
          </Notice>
        ))}
        <Client project={project} isEnabled={edited.enabled} onChange={(enabled) => change({ enabled })} />
        <Methods
          project={project}
          allowed={edited.allowedIdps}
          onChange={(allowedIdps) => change({ allowedIdps: [...allowedIdps] })}
        />
        <RedirectUris text={uris} badUri={badUri} onChange={setUris} />
        <Branding settings={edited} onChange={change} />
        <Fault error={save.fault} />
        {isChanged && (
          <div className="form-actions sticky">
            <span className="hint">{t.signIn.unsaved}</span>
            <Button onClick={() => show(stored)}>{t.state.discard}</Button>
            <Button kind="primary" type="submit" isBusy={save.isBusy} disabled={badUri !== undefined}>
              {t.common.save}
            </Button>
          </div>
        )}
      </Form>
      <Preview project={project} settings={edited} />
    </div>
  );
}

interface ClientProps {
  readonly project: ProjectKey;
  readonly isEnabled: boolean;
  readonly onChange: (isEnabled: boolean) => void;
}

/** Whether players can sign in, and the client id that their application names. */
function Client({ project: { accountId, slug }, isEnabled, onChange }: ClientProps) {
  const t = useTexts();
  const clientId = `${accountId}.${slug}`;
  return (
    <section className="card">
      <label className="check switch-row">
        <input
          type="checkbox"
          role="switch"
          aria-checked={isEnabled}
          checked={isEnabled}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span>
          <b>{t.signIn.enabled}</b>
          <small>{t.signIn.enabledHint}</small>
        </span>
      </label>
      <div className="client-id">
        <span className="hint">{t.signIn.clientId}</span>
        <code>{clientId}</code>
        <CopyButton text={clientId} size="small" />
      </div>
    </section>
  );
}

interface RedirectUrisProps {
  /** One in a line. */
  readonly text: string;
  readonly badUri: string | undefined;
  readonly onChange: (text: string) => void;
}

function RedirectUris({ text, badUri, onChange }: RedirectUrisProps) {
  const t = useTexts();
  return (
    <section className="card">
      <Field
        label={t.signIn.redirects}
        hint={t.signIn.redirectsHint}
        fault={badUri === undefined ? undefined : t.signIn.redirectFault(badUri)}
      >
        {(attributes) => (
          <textarea
            {...attributes}
            className="mono"
            rows={Math.max(3, text.split('\n').length)}
            value={text}
            onChange={(event) => onChange(event.target.value)}
            spellCheck={false}
            placeholder="https://game.example.com/signed-in"
          />
        )}
      </Field>
    </section>
  );
}

interface MethodsProps {
  readonly project: ProjectKey;
  readonly allowed: readonly string[];
  readonly onChange: (allowed: readonly string[]) => void;
}

function Methods({ project: { accountId }, allowed, onChange }: MethodsProps) {
  const t = useTexts();
  const providers = useQuery(providersQuery(accountId));
  const configured = new Map(providers.data?.map(({ providerId, name }) => [providerId, name]));
  const ownMethods: Readonly<Record<string, string>> = { anonymous: t.signIn.guests, password: t.signIn.password };
  const all = [...new Set<string>([...presets, ...configured.keys(), ...allowed])];
  return (
    <fieldset className="card checks">
      <legend>{t.signIn.methods}</legend>
      {all.map((id) => (
        <label key={id} className="check">
          <input
            type="checkbox"
            checked={allowed.includes(id)}
            onChange={({ target }) => onChange(target.checked ? [...allowed, id] : allowed.filter((one) => one !== id))}
          />
          <span>{ownMethods[id] ?? configured.get(id) ?? presetNames[id] ?? id}</span>
          {ownMethods[id] === undefined && providers.data !== undefined && !configured.has(id) && (
            <small className="method-state">{t.signIn.notConfigured}</small>
          )}
        </label>
      ))}
    </fieldset>
  );
}

/** Players' sign-in to a project, and the look of its login page. */
import type { EndUserAuthConfigBody } from '@holdfast/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { may, useAuthority } from '../api/authority.ts';
import { call } from '../api/http.ts';
import { type ProjectKey, signInQuery } from '../api/queries.ts';
import { ChangeableWith, NotAllowed } from '../page/not-allowed.tsx';
import { isMissing, NotFound } from '../page/not-found.tsx';
import { useProject } from '../page/route-params.ts';
import { formatTime, textsOf, useTexts } from '../texts/index.ts';
import { useAction } from '../ui/action.ts';
import { Button, CopyButton, Field, Notice } from '../ui/controls.tsx';
import { Fault } from '../ui/fault.tsx';
import { Form } from '../ui/form.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { SaveBar } from '../ui/save-bar.tsx';
import { toast } from '../ui/toasts.tsx';
import { MailWords } from './mail-preview.tsx';
import { providerNames } from './method-names.ts';
import { Branding, Preview } from './sign-in-branding.tsx';
import { Methods } from './sign-in-methods.tsx';
import { useSignInDraft } from './use-sign-in-draft.ts';
import './sign-in-settings.css';

const [useSignInSettingsTexts] = textsOf('sign-in-settings');

export function SignInSettingsPage() {
  const t = useTexts();
  const s = useSignInSettingsTexts();
  const project = useProject();
  const own = useAuthority();
  const isAllowed = own === undefined || may(own, 'read_settings');
  const settings = useQuery({ ...signInQuery(project), enabled: isAllowed });
  if (own !== undefined && !isAllowed) return <NotAllowed title={t.signIn.title} own={own} power="read_settings" />;
  if (isMissing(settings.error)) return <NotFound />;
  return (
    <div className="page">
      <PageHeader title={t.signIn.title} lead={s.settings.lead} />
      <ChangeableWith power="manage">
        <Loaded query={settings} rows={8}>
          {(answer) => <SettingsForm key={project.slug} project={project} answer={answer} />}
        </Loaded>
      </ChangeableWith>
    </div>
  );
}

const uriPattern =
  /^(?:https:\/\/[^\s#*]+|http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?(?:[/?][^\s#*]*)?|[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:\/[^\s#*]*)$/i;
/** An address on the developer's own machine. Others are not offered: a crafted link must not register an address. */
const loopbackUri = /^http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?(?:\/[^\s#*]*)?$/;
const linesOf = (text: string) => [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '');

function SettingsForm({ project, answer }: { project: ProjectKey; answer: EndUserAuthConfigBody }) {
  const t = useTexts();
  const s = useSignInSettingsTexts();
  const queries = useQueryClient();
  const { stored, warnings } = useMemo(() => {
    const { warnings: said = [], ...rest } = answer;
    return { stored: rest, warnings: said };
  }, [answer]);
  const { settings, isChanged, restoredFrom, change, discard } = useSignInDraft(project, stored);
  const [typed, setTyped] = useState<string>();
  const uris = typed ?? settings.redirectUris.join('\n');
  const badUri = settings.redirectUris.find((uri) => !uriPattern.test(uri));
  const addRedirect = (uri: string) => {
    setTyped(undefined);
    change({ redirectUris: [...settings.redirectUris, uri] });
  };
  const forget = () => {
    setTyped(undefined);
    discard();
  };
  const save = useAction(async () => {
    if (!isChanged || badUri !== undefined) return;
    const answered = await call('replacePlayerAuthConfig', { params: project, body: settings });
    queries.setQueryData(signInQuery(project).queryKey, answered);
    forget();
    toast(s.settings.saved);
  });
  return (
    <div className="sign-in-settings">
      <Form action={save}>
        {restoredFrom !== undefined && <Notice>{t.state.draftRestored(formatTime(restoredFrom))}</Notice>}
        <Warnings warnings={warnings} registered={settings.redirectUris} onAdd={addRedirect} />
        <Client project={project} isEnabled={settings.enabled} onChange={(enabled) => change({ enabled })} />
        <Methods
          project={project}
          allowed={settings.allowedIdps}
          onChange={(allowedIdps) => change({ allowedIdps: [...allowedIdps] })}
        />
        <RedirectUris
          text={uris}
          badUri={badUri}
          onChange={(text) => {
            setTyped(text);
            change({ redirectUris: linesOf(text) });
          }}
        />
        <Branding settings={settings} onChange={change} />
        <MailWords settings={settings} onChange={change} />
        <Fault error={save.fault} />
        {isChanged && <SaveBar text={s.settings.unsaved} action={save} isReady={badUri === undefined} onDiscard={forget} />}
      </Form>
      <Preview project={project} settings={settings} />
    </div>
  );
}

interface WarningsProps {
  readonly warnings: NonNullable<EndUserAuthConfigBody['warnings']>;
  readonly registered: readonly string[];
  readonly onAdd: (uri: string) => void;
}

/** What keeps people from signing in. A refused address on the developer's own machine can be added. */
function Warnings({ warnings, registered, onAdd }: WarningsProps) {
  const s = useSignInSettingsTexts();
  return (
    <>
      {warnings.map(({ code, value }) => (
        <Notice
          key={`${code} ${value}`}
          kind="warn"
          action={
            code === 'redirect_uri_not_registered' &&
            loopbackUri.test(value) &&
            !registered.includes(value) && (
              <Button size="small" onClick={() => onAdd(value)}>
                {s.settings.addRedirect}
              </Button>
            )
          }
        >
          {s.settings.warnings[code](providerNames[value] ?? value)}
        </Notice>
      ))}
    </>
  );
}

interface ClientProps {
  readonly project: ProjectKey;
  readonly isEnabled: boolean;
  readonly onChange: (isEnabled: boolean) => void;
}

/** Whether players can sign in, and the client id of their application. */
function Client({ project: { accountId, slug }, isEnabled, onChange }: ClientProps) {
  const s = useSignInSettingsTexts();
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
          <b>{s.settings.enabled}</b>
          <small>{s.settings.enabledHint}</small>
        </span>
      </label>
      <div className="client-id">
        <span className="hint">{s.settings.clientId}</span>
        <code>{clientId}</code>
        <CopyButton text={clientId} size="small" />
      </div>
    </section>
  );
}

interface RedirectUrisProps {
  /** One per line. */
  readonly text: string;
  readonly badUri: string | undefined;
  readonly onChange: (text: string) => void;
}

function RedirectUris({ text, badUri, onChange }: RedirectUrisProps) {
  const s = useSignInSettingsTexts();
  return (
    <section className="card">
      <Field
        label={s.settings.redirects}
        hint={s.settings.redirectsHint}
        fault={badUri === undefined ? undefined : s.settings.redirectFault(badUri)}
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

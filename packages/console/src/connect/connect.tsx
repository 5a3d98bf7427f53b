/** The first steps: a game with the project's own address and key, the configuration that it shows, and player sign-in. */
import { type CreateApiKeyBody, type Environment, guestMethod, type PatchEndUserAuthConfigBody } from '@holdfast/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { ArrowRight, Download, KeyRound } from 'lucide-react';
import { useState } from 'react';
import { baseUrl } from '../api/addresses.ts';
import { call } from '../api/http.ts';
import { keysQuery, type ProjectKey, signInQuery, stateQuery } from '../api/queries.ts';
import { EnvironmentChoice } from '../page/environment-switch.tsx';
import { isMissing, NotFound } from '../page/not-found.tsx';
import { useProject } from '../page/route-params.ts';
import { textsOf, useTexts } from '../texts/index.ts';
import { useAction } from '../ui/action.ts';
import { Code, Json } from '../ui/code.tsx';
import { Button, CopyButton, Notice, Segments, Skeleton } from '../ui/controls.tsx';
import { Fault } from '../ui/fault.tsx';
import { Filters } from '../ui/filters.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { saveFile } from '../ui/save-file.ts';
import { commandOf, type SnippetLanguage, snippetFiles, snippetLanguages, snippetOf } from './connect-snippets.ts';
import './connect.css';

const [useConnectTexts] = textsOf('connect');

/** How often the document beside the steps is read again. */
const liveMs = 5_000;

export function ConnectPage() {
  const t = useTexts();
  const c = useConnectTexts();
  const { welcome } = useSearch({ from: '/shell/p/$slug/connect' });
  const project = useProject();
  // Not the environment that was shown last: a first program writes.
  const [env, setEnv] = useState<Environment>('development');
  const key = { ...project, env };
  const { accountId, slug } = project;
  const [language, setLanguage] = useState<SnippetLanguage>('browser');
  /** Whether the program also saves. */
  const isWriting = language === 'browser' || language === 'node';
  const known = useKnownKey(key, env);
  const state = useQuery({ ...stateQuery(key), refetchInterval: liveMs });
  const place = { baseUrl, accountId, slug, env, key: known.text ?? c.placeholder };
  const text = snippetOf(language, place);
  if (isMissing(state.error)) return <NotFound />;
  return (
    <div className="page">
      <PageHeader title={c.title} lead={welcome ? c.demoLead : c.lead} />
      <Filters>
        <EnvironmentChoice value={env} onChange={setEnv} />
        {env === 'production' && isWriting && <p className="connect-warning">{c.writesSaves}</p>}
      </Filters>
      <div className="connect">
        <ol className="steps">
          <li className="card">
            <h2>{c.steps[language].title}</h2>
            <p>{c.steps[language].text}</p>
            {isWriting && <GuestsAllowed />}
            <Snippet language={language} onLanguage={setLanguage} text={text} command={commandOf(language, place)} />
            <SnippetKey env={env} known={known} />
          </li>
          <li className="card">
            <h2>{c.stepChange}</h2>
            <p>{c.stepChangeText}</p>
            <Link className="button" to="/p/$slug/$env/state" params={{ slug, env }}>
              {c.openEditor}
              <ArrowRight aria-hidden="true" />
            </Link>
          </li>
          <li className="card">
            <h2>{welcome ? c.stepProject : c.stepPlayers}</h2>
            <p>{welcome ? c.stepProjectText : c.stepPlayersText}</p>
            <div className="buttons">
              {welcome && (
                <Link className="button" to="/" hash="new">
                  {t.nav.newProject}
                </Link>
              )}
              <Link className="button" to="/p/$slug/sign-in" params={{ slug }}>
                {c.signPlayers}
              </Link>
            </div>
          </li>
        </ol>
        <section className="card live-document" aria-label={c.document}>
          <div className="card-bar">
            <h2>{c.document}</h2>
            {state.data && <span className="badge">{t.common.version(state.data.version)}</span>}
          </div>
          {state.data === undefined && <Fault error={state.error} onRetry={() => void state.refetch()} />}
          {state.isPending && <Skeleton rows={6} />}
          {state.data === null && <p className="hint nothing">{t.state.empty}</p>}
          {state.data && <Json value={state.data.state} />}
        </section>
      </div>
    </div>
  );
}

interface SnippetProps {
  readonly language: SnippetLanguage;
  readonly onLanguage: (language: SnippetLanguage) => void;
  readonly text: string;
  /** What starts it. */
  readonly command: string | undefined;
}

/** The program in a chosen language, and how to start it. */
function Snippet({ language, onLanguage, text, command }: SnippetProps) {
  const t = useTexts();
  const c = useConnectTexts();
  const file = snippetFiles[language];
  return (
    <>
      <div className="card-bar">
        <Segments label={t.nav.language} value={language} onChange={onLanguage} options={snippetLanguages} />
        <div className="buttons">
          {file !== undefined && (
            <Button icon={<Download />} title={file} onClick={() => saveFile(file, 'text/plain', text)}>
              {c.download}
            </Button>
          )}
          <CopyButton text={text} />
        </div>
      </div>
      <Code className="snippet" text={text} />
      <p>{c.run[language]}</p>
      {command !== undefined && (
        <div className="snippet-command">
          <Code text={command} />
          <CopyButton text={command} size="small" />
        </div>
      )}
    </>
  );
}

interface SnippetKeyProps {
  readonly env: Environment;
  readonly known: KnownKey;
}

/** Says whether the key is in the snippet, and makes one if there is none to show. */
function SnippetKey({ env, known }: SnippetKeyProps) {
  const c = useConnectTexts();
  const project = useProject();
  const queries = useQueryClient();
  const create = useAction(async () => {
    const body: CreateApiKeyBody = {
      name: c.keyName,
      kind: 'publishable',
      access: 'read',
      environments: [env],
    };
    const { apiKey } = await call('createApiKey', { params: project, body });
    known.show(env, apiKey);
    await queries.invalidateQueries(keysQuery(project));
  });
  if (known.isPending) return null;
  if (known.text !== undefined) return <Notice kind="good">{c.keyIn}</Notice>;
  return (
    <>
      {known.isHidden && <p>{c.keyHidden}</p>}
      <Button kind="primary" icon={<KeyRound />} isBusy={create.isBusy} onClick={create.run}>
        {c.createKey}
      </Button>
      <Fault error={create.fault} />
    </>
  );
}

interface KnownKey {
  readonly isPending: boolean;
  /** A publishable key that reads the environment. */
  readonly text: string | undefined;
  /** Whether there are such keys, but none whose text is stored. */
  readonly isHidden: boolean;
  /** Shows a key that was made here, before the list has it. */
  readonly show: (env: Environment, text: string) => void;
}

/** The publishable key of an environment: one made here, otherwise the newest that the service still shows. */
function useKnownKey(project: ProjectKey, env: Environment): KnownKey {
  const [made, setMade] = useState<{ readonly env: Environment; readonly text: string }>();
  const { data = [], isPending } = useQuery({ ...keysQuery(project), retry: false });
  const fitting = data.filter(
    ({ kind, environments, expiresAt }) =>
      kind === 'publishable' && environments.includes(env) && (expiresAt === null || Date.parse(expiresAt) > Date.now()),
  );
  const listed = fitting.find(({ apiKey }) => apiKey !== null)?.apiKey ?? undefined;
  return {
    isPending,
    text: made?.env === env ? made.text : listed,
    isHidden: fitting.length > 0,
    show: (forEnv, text) => setMade({ env: forEnv, text }),
  };
}

/** Says that the project does not let guests in yet, and lets them in. */
function GuestsAllowed() {
  const c = useConnectTexts();
  const project = useProject();
  const queries = useQueryClient();
  const { data: settings } = useQuery({ ...signInQuery(project), retry: false });
  const allow = useAction(async () => {
    const allowedIdps = [...new Set([...(settings?.allowedIdps ?? []), guestMethod])];
    const body: PatchEndUserAuthConfigBody = { enabled: true, allowedIdps };
    queries.setQueryData(signInQuery(project).queryKey, await call('patchPlayerAuthConfig', { params: project, body }));
  });
  if (settings === undefined || (settings.enabled && settings.allowedIdps.includes(guestMethod))) return null;
  return (
    <>
      <Notice
        kind="warn"
        action={
          <Button isBusy={allow.isBusy} onClick={allow.run}>
            {c.allowGuests}
          </Button>
        }
      >
        {c.noGuests}
      </Notice>
      <Fault error={allow.fault} />
    </>
  );
}

/** The first steps: read the document from code, change it, and create a project. */
import type { CreateApiKeyBody, Environment } from '@holdfast/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { ArrowRight, KeyRound } from 'lucide-react';
import { useState } from 'react';
import { baseUrl } from '../api/addresses.ts';
import { call } from '../api/http.ts';
import { keysQuery, stateQuery } from '../api/queries.ts';
import { EnvironmentSwitch } from '../shell/environment-switch.tsx';
import { isMissing, NotFound } from '../shell/not-found.tsx';
import { useProject, useStateKey } from '../shell/route-params.ts';
import { useTexts } from '../texts/index.ts';
import { useAction } from '../ui/action.ts';
import { Button, CopyButton, Notice, PageHeader, Segments, Skeleton } from '../ui/controls.tsx';
import { Fault } from '../ui/fault.tsx';
import { Json } from '../ui/json.tsx';

const languages = [
  { value: 'curl', label: 'curl' },
  { value: 'ts', label: 'TypeScript' },
  { value: 'unity', label: 'Unity C#' },
] as const;
type SnippetLanguage = (typeof languages)[number]['value'];
/** How often the document beside the steps is read again. */
const liveMs = 5_000;

export function ConnectPage() {
  const t = useTexts();
  const { welcome } = useSearch({ from: '/shell/p/$slug/connect' });
  const key = useStateKey();
  const { accountId, slug, env } = key;
  const [language, setLanguage] = useState<SnippetLanguage>('curl');
  const [apiKey, setApiKey] = useState<string>();
  const state = useQuery({ ...stateQuery(key), refetchInterval: liveMs });
  const address = `${baseUrl}/v1/${accountId}/projects/${slug}/public-state/${env}`;
  const text = snippet(language, address, apiKey ?? t.connect.placeholder);
  if (isMissing(state.error)) return <NotFound />;
  return (
    <div className="page wide">
      <PageHeader
        title={welcome ? t.connect.demoTitle : t.connect.title}
        lead={welcome ? t.connect.demoLead : t.connect.lead}
      >
        <EnvironmentSwitch />
      </PageHeader>
      <div className="connect">
        <ol className="steps">
          <li className="card">
            <h2>{t.connect.stepRead}</h2>
            <p>{t.connect.stepReadText}</p>
            <div className="card-bar">
              <Segments label={t.nav.language} value={language} onChange={setLanguage} options={languages} />
              <CopyButton text={text} size="small" />
            </div>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
            <pre className="json snippet" tabIndex={0}>
              {text}
            </pre>
            <SnippetKey env={env} apiKey={apiKey} onKey={setApiKey} />
          </li>
          <li className="card">
            <h2>{t.connect.stepChange}</h2>
            <p>{t.connect.stepChangeText}</p>
            <Link className="button" to="/p/$slug/$env/state" params={{ slug, env }}>
              {t.connect.openEditor}
              <ArrowRight aria-hidden="true" />
            </Link>
          </li>
          <li className="card">
            <h2>{t.connect.stepProject}</h2>
            <p>{t.connect.stepProjectText}</p>
            <div className="buttons">
              <Link className="button" to="/" hash="new">
                {t.nav.newProject}
              </Link>
              <Link className="button" to="/p/$slug/sign-in" params={{ slug }}>
                {t.connect.signPlayers}
              </Link>
            </div>
          </li>
        </ol>
        <section className="card live-document" aria-label={t.connect.document}>
          <div className="card-bar">
            <h2>{t.connect.document}</h2>
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

interface SnippetKeyProps {
  readonly env: Environment;
  readonly apiKey: string | undefined;
  readonly onKey: (apiKey: string) => void;
}

function SnippetKey({ env, apiKey, onKey }: SnippetKeyProps) {
  const t = useTexts();
  const project = useProject();
  const queries = useQueryClient();
  const create = useAction(async () => {
    const body: CreateApiKeyBody = {
      name: t.connect.keyName,
      kind: 'publishable',
      access: 'read',
      environments: [env],
    };
    const { apiKey: created } = await call('createApiKey', { params: project, body });
    await queries.invalidateQueries(keysQuery(project));
    onKey(created);
  });
  if (apiKey !== undefined) return <Notice kind="good">{t.connect.keyIn}</Notice>;
  return (
    <>
      <Button kind="primary" icon={<KeyRound />} isBusy={create.isBusy} onClick={create.run}>
        {t.connect.createKey}
      </Button>
      <Fault error={create.fault} />
    </>
  );
}

function snippet(language: SnippetLanguage, address: string, key: string): string {
  if (language === 'curl') return `curl -H 'Authorization: ApiKey ${key}' \\\n  '${address}'`;
  if (language === 'ts') {
    return `const response = await fetch(
  '${address}',
  { headers: { Authorization: 'ApiKey ${key}' } },
);
const { version, state } = await response.json();
console.log(version, state);`;
  }
  return `using System.Collections;
using UnityEngine;
using UnityEngine.Networking;

public class LiveConfig : MonoBehaviour
{
    IEnumerator Start()
    {
        using var request = UnityWebRequest.Get(
            "${address}");
        request.SetRequestHeader("Authorization", "ApiKey ${key}");
        yield return request.SendWebRequest();
        Debug.Log(request.downloadHandler.text);
    }
}`;
}

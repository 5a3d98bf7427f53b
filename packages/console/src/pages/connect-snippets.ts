/** Programs of the first steps, for one environment and key: a page with the client from `/client.js`, the package, and plain HTTP. */
import type { Environment } from '@holdfast/contract';

export const snippetLanguages = [
  { value: 'browser', label: 'Browser' },
  { value: 'ts', label: 'TypeScript' },
  { value: 'curl', label: 'curl' },
  { value: 'unity', label: 'Unity C#' },
] as const;
export type SnippetLanguage = (typeof snippetLanguages)[number]['value'];

export interface SnippetPlace {
  readonly baseUrl: string;
  readonly accountId: string;
  readonly slug: string;
  readonly env: Environment;
  /** A publishable key, or what stands in its place. */
  readonly key: string;
}

/** How to start a program: its file and command, if it has any. */
export const snippetRuns: Readonly<Record<SnippetLanguage, { readonly file?: string; readonly command?: string }>> = {
  browser: { file: 'game.html' },
  ts: { file: 'game.ts', command: 'npm install @holdfast/client && node game.ts' },
  curl: {},
  unity: { file: 'LiveConfig.cs' },
};

const stateUrl = ({ baseUrl, accountId, slug, env }: SnippetPlace): string =>
  `${baseUrl}/v1/${accountId}/projects/${slug}/public-state/${env}`;

const snippets: Readonly<Record<SnippetLanguage, (place: SnippetPlace) => string>> = {
  browser: ({ baseUrl, env, key }) => `<!doctype html>
<meta charset="utf-8">
<pre id="configuration"></pre>
<button id="dig">Dig</button>
<script type="module">
  import { createClient } from '${baseUrl}/client.js';

  const { publicState, userState } = createClient(
    '${baseUrl}',
    '${key}',
    { environment: '${env}', auth: { guest: true } },
  );
  const element = (id) => document.getElementById(id);

  // The configuration: again after every change.
  publicState.subscribe(({ state }) => {
    element('configuration').textContent = JSON.stringify(state, null, 2);
  });
  // The save of this guest: changes from several tabs add up.
  userState.subscribe(({ state }) => {
    element('dig').textContent = \`Dig (\${state?.digs ?? 0})\`;
  });
  element('dig').onclick = () =>
    userState.update((save) => { save.digs = (save.digs ?? 0) + 1; });
</script>`,
  ts: ({ baseUrl, env, key }) => `import { createClient } from '@holdfast/client';

type Documents = {
  publicState: Record<string, unknown>;
  userState: { digs?: number };
};
const { publicState, userState, auth } = createClient<Documents>(
  '${baseUrl}',
  '${key}',
  { environment: '${env}', auth: { guest: true } },
);
publicState.subscribe(({ state }) => console.log(state));
const { state } = await userState.update((save) => {
  save.digs = (save.digs ?? 0) + 1;
});
console.log(auth.user?.id, state.digs);`,
  curl: (place) => `curl -H 'Authorization: ApiKey ${place.key}' \\\n  '${stateUrl(place)}'`,
  unity: (place) => `using System.Collections;
using UnityEngine;
using UnityEngine.Networking;

public class LiveConfig : MonoBehaviour
{
    IEnumerator Start()
    {
        using var request = UnityWebRequest.Get(
            "${stateUrl(place)}");
        request.SetRequestHeader("Authorization", "ApiKey ${place.key}");
        yield return request.SendWebRequest();
        Debug.Log(request.downloadHandler.text);
    }
}`,
};

/** The program in a language. Its address, project and key are the reader's. */
export const snippetOf = (language: SnippetLanguage, place: SnippetPlace): string => snippets[language](place);

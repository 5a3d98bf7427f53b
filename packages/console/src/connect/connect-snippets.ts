/** Programs of the first steps, for one environment and key: a page and a program with the client from `/client.js`, and plain HTTP. */
import type { Environment } from '@holdfast/contract';

export const snippetLanguages = [
  { value: 'browser', label: 'Browser' },
  { value: 'node', label: 'Node.js' },
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

/** The name of a program's file, if it is one. */
export const snippetFiles: Readonly<Partial<Record<SnippetLanguage, string>>> = {
  browser: 'game.html',
  node: 'game.mjs',
  unity: 'LiveConfig.cs',
};

/** The command that starts a program, if it has one. */
export const commandOf = (language: SnippetLanguage, { baseUrl }: Pick<SnippetPlace, 'baseUrl'>): string | undefined =>
  language === 'node' ? `curl -o client.mjs ${baseUrl}/client.js && node game.mjs` : undefined;

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
  node: ({ baseUrl, env, key }) => `import { createClient } from './client.mjs';

const { publicState, userState, auth } = createClient(
  '${baseUrl}',
  '${key}',
  { environment: '${env}', auth: { guest: true } },
);
// The configuration: again after every change.
publicState.subscribe(({ state }) => console.log(state));
// The save of a new guest.
const { state } = await userState.update((save) => {
  save.digs = (save.digs ?? 0) + 1;
});
console.log(auth.user.id, state.digs);`,
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

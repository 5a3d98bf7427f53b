/** Runtimes without browser APIs: the client imports, reads, writes and subscribes there, or reports clearly what is missing. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import type * as Package from '@holdfast/client';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClientWorld, openClientWorld } from './world.ts';

let world: ClientWorld;
let code: string;
beforeAll(async () => {
  const program = join(import.meta.dirname, '../../scripts/build/client-program.mjs');
  const entry = `export { tryClient } from ${JSON.stringify(program)};\nexport * from '@holdfast/client';`;
  const name = join(import.meta.dirname, 'bare.virtual.js');
  const bundle = await rolldown({
    input: name,
    platform: 'neutral',
    plugins: [{ name: 'entry', load: (id) => (id === name ? entry : null), resolveId: (id) => (id === name ? id : null) }],
  });
  const { output } = await bundle.generate({ format: 'iife', name: 'holdfast', codeSplitting: false });
  await bundle.close();
  code = output[0].code;
  world = await openClientWorld();
});
afterAll(() => world?.server.stop());

type Bundled = typeof Package & { tryClient(options: unknown): Promise<readonly string[]> };

/** Loads the package in a context with few globals besides `given`: no TextDecoder, localStorage, navigator or crypto. */
function bare(given: Readonly<Record<string, unknown>> = {}): Bundled {
  const common = { setTimeout, clearTimeout, queueMicrotask, AbortController, AbortSignal, URL, URLSearchParams, Headers };
  const globals = Object.defineProperties({ ...common, fetch }, Object.getOwnPropertyDescriptors(given));
  return runInContext(`${code}; holdfast`, createContext(globals));
}

/** As in React Native: a response has text but no stream. */
const textOnly: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const { status, ok, headers } = response;
  const text = init?.headers && 'Accept' in init.headers && init.headers.Accept === 'text/event-stream' ? '' : undefined;
  if (text === '') await response.body?.cancel();
  return { status, ok, headers, text: async () => text ?? response.text() } as Response;
};

/** Client options with an API key of a new project. */
async function optionsOf() {
  const project = await world.newProject();
  const { apiKey } = await world.server.newApiKey(project);
  const { accountId } = project.developer;
  return { baseUrl: world.server.baseUrl, accountId, project: project.slug, environment: 'production', auth: { apiKey } };
}

/** Rejects the same option as workerd before 2024-11-11. */
class OldRequest {
  constructor(_: string, init: RequestInit = {}) {
    if ('cache' in init) throw new Error("The 'cache' field on 'RequestInitializerDict' is not implemented.");
  }
}
const refusing: typeof fetch = async (input, init) => {
  new OldRequest('http://localhost/', init);
  return fetch(input, init);
};

test.each([
  ['only the language and fetch', {}],
  ['responses without streams', { fetch: textOnly }],
  ['TextDecoder and streams, but no Web Locks', { TextDecoder, navigator: {} }],
  ['a fetch that rejects the cache option', { Request: OldRequest, fetch: refusing }],
  [
    'no access to storage',
    {
      get localStorage() {
        throw new Error('denied');
      },
    },
  ],
])('the client works with %s', async (_, given) => {
  expect(await bare(given).tryClient(await optionsOf())).toEqual(['state', 'changes', 'flags', 'queue in memory']);
});

test.each([
  ['no crypto', {}],
  ['no crypto.subtle', { crypto: { getRandomValues: (bytes: Uint8Array) => bytes } }],
])('with %s, signing in says that it needs WebCrypto', async (_, given) => {
  const { createAuth } = bare(given);
  const { auth: __, environment, ...options } = await optionsOf();
  const auth = createAuth({ ...options, environment: environment as 'production', redirectUri: 'http://a.example/' });
  await expect(auth.signIn()).rejects.toMatchObject({
    name: 'HoldfastError',
    code: 'invalid_request',
    message: expect.stringContaining('WebCrypto'),
  });
  await expect(auth.accessToken()).rejects.toMatchObject({ code: 'signed_out' });
});

test('the client works in server components, where React has no hooks', async () => {
  const program = `
    import { createClient } from '@holdfast/client';
    import { queryOptions } from '@holdfast/client/react';
    const client = createClient(${JSON.stringify(await optionsOf())});
    await client.publicState.update((draft) => { draft.gold = 1; });
    console.log(JSON.stringify(await queryOptions(client, 'publicState').queryFn({})));
  `;
  const words = ['--conditions=react-server', '--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: import.meta.dirname });
  expect(JSON.parse(stdout)).toMatchObject({ version: 1, state: { gold: 1 } });
});

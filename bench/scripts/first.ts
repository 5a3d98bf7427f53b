/**
 * Measures the first request of each kind after a start of `holdfast serve`, in milliseconds, from ten starts on an empty data folder and
 * ten on a used one. It shows what is loaded late and which threads start late. The second request of the same kind is listed beside it.
 * `node bench/scripts/first.ts 3` makes three starts of each.
 */

import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { consoleLinkRedirectUri, consoleRedirectUri } from '../../packages/server/src/common/net/console-addresses.ts';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { loadCore, spawnPinned } from '../../tooling/child-processes.ts';
import { readVariables } from '../../tooling/credentials.ts';
import { createFormClient } from '../../tooling/forms.ts';
import { largeDocument } from '../../tooling/load/documents.ts';
import { holdfastCommand } from '../../tooling/server-process.ts';
import { median } from '../../tooling/statistics.ts';
import { responds, until } from '../../tooling/until.ts';
import { cleanUpAtExit, temporaryPath } from '../../tooling/workspace.ts';

const starts = Number(process.argv[2] ?? 10);
const limitMilliseconds = 150;

/** The contents of the data folder after a start. */
interface Demo {
  readonly url: string;
  readonly stateUrl: string;
  readonly apiKey: string;
  /** The code of the console link and its verifier. */
  readonly code: string;
  readonly verifier: string;
}

function readDemo(dataDir: string): Demo {
  const read = readVariables(`${dataDir}/dev.env`);
  const { HOLDFAST_URL: url = '', HOLDFAST_STATE_URL: stateUrl = '', HOLDFAST_API_KEY: apiKey = '' } = read;
  const [code = '', verifier = ''] = read.HOLDFAST_CONSOLE_URL?.split('#')[1]?.split('.') ?? [];
  return { url, stateUrl, apiKey, code, verifier };
}

async function demand(answer: Promise<Response>, status: number): Promise<Response> {
  const { status: actual, url } = await answer;
  if (actual !== status) throw new Error(`${url} answered ${actual}, not ${status}: ${await (await answer).text()}`);
  return answer;
}

/** The kinds of requests, in sending order. */
function requests({ url, stateUrl, apiKey, code, verifier }: Demo): Record<string, () => Promise<unknown>> {
  const headers = { Authorization: `ApiKey ${apiKey}`, 'Content-Type': 'application/json' };
  const asked = new URLSearchParams({
    client_id: 'svc-developer',
    redirect_uri: consoleRedirectUri(url),
    response_type: 'code',
    state: 's',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  });
  const form = createFormClient(url);
  const page = () => form.get(`/authorize?${asked}`);
  const token = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: 'svc-developer',
    code,
    redirect_uri: consoleLinkRedirectUri(url),
    code_verifier: verifier,
  });
  let isRedeemed = false;
  return {
    'read a document': () => demand(fetch(stateUrl, { headers }), 200),
    'write 2 KB': async () => {
      const { headers: tags } = await fetch(stateUrl, { headers });
      const body = JSON.stringify({ state: { flags: {}, text: 'x'.repeat(2_000) } });
      await demand(
        fetch(stateUrl, { method: 'PUT', headers: { ...headers, 'If-Match': tags.get('etag') ?? '' }, body }),
        200,
      );
    },
    'exchange a code': async () => {
      await demand(fetch(`${url}/v1/auth/token`, { method: 'POST', body: token }), isRedeemed ? 400 : 200);
      isRedeemed = true;
    },
    'open a stream': async () => {
      const leaving = new AbortController();
      const answer = await demand(fetch(`${stateUrl}/changes`, { headers, signal: leaving.signal }), 200);
      await answer.body?.getReader().read();
      leaving.abort();
    },
    'evaluate all flags': () =>
      demand(
        fetch(`${stateUrl}/ofrep/v1/evaluate/flags`, { method: 'POST', headers, body: '{"context":{"targetingKey":"p"}}' }),
        200,
      ),
    'show the login page': async () => {
      const { status } = await page();
      if (status !== 200) throw new Error(`the login page answered ${status}`);
    },
    'try a password': async () => {
      const shown = await page();
      await form.send(shown, '/authorize/sign-in', { email: 'nobody@example.com', password: 'of nobody at all' });
    },
    'write 250 KB': async () => {
      const { headers: tags } = await fetch(stateUrl, { headers });
      const body = `{"state":${largeDocument}}`;
      await demand(
        fetch(stateUrl, { method: 'PUT', headers: { ...headers, 'If-Match': tags.get('etag') ?? '' }, body }),
        200,
      );
    },
  };
}

type Times = Record<string, { first: number[]; second: number[] }>;

async function startOnce(dataDir: string, times: Times | undefined): Promise<void> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(SVC|NODE)_/.test(name));
  const env = { ...Object.fromEntries(inherited), SVC_PORT: String(await freePort()), SVC_DATA_DIR: dataDir };
  const child = spawnPinned(loadCore, [process.execPath, holdfastCommand, 'serve'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env,
  });
  child.stdout?.resume();
  const gone = once(child, 'exit');
  const isReady = () => responds(`http://127.0.0.1:${env.SVC_PORT}/readyz`);
  await until(isReady, { withinMilliseconds: 30_000, everyMilliseconds: 10, otherwise: 'the service is not ready' });
  await sleep(1_500); // idle work of the service
  for (const [name, send] of Object.entries(requests(readDemo(dataDir)))) {
    for (const which of ['first', 'second'] as const) {
      const begun = performance.now();
      await send();
      const taken = performance.now() - begun;
      if (times === undefined) continue;
      times[name] ??= { first: [], second: [] };
      times[name][which].push(taken);
    }
  }
  child.kill('SIGTERM');
  await gone;
}

function print(title: string, times: Times): void {
  const rows = Object.entries(times).map(([request, { first, second }]) => {
    const most = Math.max(...first);
    return {
      request,
      median: median(first).toFixed(0),
      max: most.toFixed(0),
      second: median(second).toFixed(0),
      [`< ${limitMilliseconds} ms`]: most < limitMilliseconds,
    };
  });
  console.log(title);
  console.table(rows);
}

cleanUpAtExit();
const empty: Times = {};
const used: Times = {};
await startOnce(temporaryPath('data'), undefined); // fills the cache of compiled code
for (let start = 0; start < starts; start++) {
  const dataDir = temporaryPath('data');
  await startOnce(dataDir, empty);
  await startOnce(dataDir, used);
  rmSync(dataDir, { recursive: true });
}
print('First requests after a start on an empty data folder, in ms', empty);
print('After a start on a folder that has been used, in ms', used);
process.exit();

/**
 * Compiles the C# of docs/tutorials/unity.md with Mono and runs it twice against a real service, as a guest who loses responses; and parses
 * the GDScript of docs/tutorials/godot.md with gdtoolkit: `node scripts/clients/check-tutorials.ts`. Installs Mono and gdtoolkit if
 * missing. Runs on Debian, as root. Neither Unity nor Godot runs here, and nobody signs in at the login page.
 */
import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { run, startService } from '../build/client-trial.ts';

const root = join(import.meta.dirname, '../..');
const mono = [
  'mono-mcs',
  'mono-runtime',
  'libnewtonsoft-json5.0-cil',
  'libmono-system-net-http4.0-cil',
  'libmono-system-numerics4.0-cil',
];

/** The programs of a page in a language, in order. */
function programsOf(page: string, language: string): readonly string[] {
  const text = readFileSync(join(root, 'docs/tutorials', page), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, program]) => program ?? '');
}

/** A proxy that loses the response to every second write, after the service has applied the write. */
async function losingProxy(target: string) {
  let writes = 0;
  let lost = 0;
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url, headers } = incoming;
    const sent = request(new URL(url ?? '/', target), { method, headers }, (answer) => {
      if (method === 'PATCH' && writes++ % 2 === 0) {
        lost++;
        answer.resume();
        answer.on('end', () => incoming.socket.destroy());
        return;
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    sent.on('error', () => incoming.socket.destroy());
    incoming.pipe(sent);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lost: () => lost,
    stop: () => server.close(),
  };
}

async function setUp(at: string, baseUrl: string, accountId: string, project: string): Promise<string> {
  const { HOLDFAST_DEVELOPER_TOKEN } = parseEnv(readFileSync(join(at, 'data/dev.env'), 'utf8'));
  const call = async (method: string, path: string, body: unknown): Promise<Record<string, string>> => {
    const headers = { Authorization: `Bearer ${HOLDFAST_DEVELOPER_TOKEN}`, 'Content-Type': 'application/json' };
    const response = await fetch(`${baseUrl}/v1/${accountId}/projects/${project}${path}`, {
      method,
      headers,
      body: JSON.stringify(body),
    });
    const text = await response.text();
    assert.ok(response.ok, `${method} ${path}: ${text}`);
    return JSON.parse(text);
  };
  await call('PATCH', '/auth/end-user/config', { enabled: true, allowedIdps: ['anonymous'] });
  const current = await fetch(`${baseUrl}/v1/${accountId}/projects/${project}/public-state/development`, {
    headers: { Authorization: `Bearer ${HOLDFAST_DEVELOPER_TOKEN}` },
  });
  const precondition =
    current.status === 204 ? { 'If-None-Match': '*' } : { 'If-Match': current.headers.get('ETag') ?? '' };
  const headers = {
    Authorization: `Bearer ${HOLDFAST_DEVELOPER_TOKEN}`,
    'Content-Type': 'application/json',
    ...precondition,
  };
  const body = JSON.stringify({ state: { goldPerDig: 3 } });
  const written = await fetch(`${baseUrl}/v1/${accountId}/projects/${project}/public-state/development`, {
    method: 'PUT',
    headers,
    body,
  });
  assert.ok(written.ok, await written.text());
  const { apiKey } = await call('POST', '/api-keys', { name: 'game', kind: 'publishable' });
  return apiKey ?? '';
}

/** Runs a program while this one keeps serving. */
async function play(exe: string, start: string, env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn('mono', [exe, start], { env, timeout: 120_000 });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (piece: string) => (output += piece));
  const [code] = await once(child, 'close');
  assert.equal(code, 0, output);
  return output.trim();
}

/** Installs Mono. The package list may be old or missing. */
function installMono(at: string): void {
  const install = () => run(at, 'apt-get', 'install', '-q', '-y', '--no-install-recommends', ...mono);
  try {
    install();
  } catch {
    run(at, 'apt-get', 'update', '-q');
    install();
  }
}

async function tryUnity(at: string): Promise<void> {
  if (!existsSync('/usr/bin/mcs')) installMono(at);
  const service = await startService(at);
  try {
    const { baseUrl, accountId, project } = service.options;
    const key = await setUp(at, baseUrl, accountId, project);
    const proxy = await losingProxy(baseUrl);
    const [source = ''] = programsOf('unity.md', 'cs');
    const filled = source
      .replaceAll('http://127.0.0.1:8787', proxy.url)
      .replace('acc_…', accountId)
      .replace('svcp_…', key)
      .replace('Project = "hello"', `Project = "${project}"`)
      .replace('["aud"] = Url', `["aud"] = "${baseUrl}"`);
    writeFileSync(join(at, 'Holdfast.cs'), filled);
    const references = ['System.Net.Http', 'System.Numerics', '/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll'].map(
      (name) => `-r:${name}`,
    );
    const game = join(root, 'scripts/clients/tutorial-unity.cs');
    run(at, 'mcs', '-langversion:7', '-warnaserror-', ...references, '-out:game.exe', 'Holdfast.cs', game);
    const data = join(at, 'player');
    mkdirSync(data);
    for (const start of ['first', 'second'])
      console.log(await play(join(at, 'game.exe'), start, { ...process.env, GAME_DATA: data }));
    assert.ok(proxy.lost() > 0);
    console.log(`Unity: compiled by mcs and run by mono; ${proxy.lost()} answers of writes were lost on the way`);
    proxy.stop();
  } finally {
    service.stop();
  }
}

function tryGodot(at: string): void {
  const target = join(at, 'gdtoolkit');
  run(at, 'python3', '-m', 'pip', 'install', '--quiet', '--target', target, 'gdtoolkit==4.5.0');
  const programs = programsOf('godot.md', 'gdscript');
  for (const [index, program] of programs.entries()) {
    const file = join(at, `program-${index}.gd`);
    writeFileSync(file, program);
    run(at, 'env', `PYTHONPATH=${target}`, 'python3', '-m', 'gdtoolkit.parser', file);
  }
  console.log(`Godot: ${programs.length} programs parsed by gdtoolkit, none run`);
}

const at = mkdtempSync(join(tmpdir(), 'holdfast-tutorials-'));
try {
  await tryUnity(at);
  tryGodot(at);
} finally {
  rmSync(at, { recursive: true, force: true, maxRetries: 5 });
}

/**
 * Compiles examples/unity/Holdfast.cs with Mono and runs it twice against a real service, as a guest who loses responses; and parses
 * examples/godot/holdfast.gd and the GDScript of its tutorial with gdtoolkit: `node scripts/clients/check-tutorials.ts`. Installs Mono and
 * gdtoolkit if missing. Runs on Debian, as root. Neither Unity nor Godot runs here, and nobody signs in at the login page.
 */

import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from '../../tooling/api.ts';
import { outputOf } from '../../tooling/child-processes.ts';
import type { Credentials } from '../../tooling/credentials.ts';
import { asDeveloper, createApiKey, projectPath, publicStatePath } from '../../tooling/credentials.ts';
import { installPackages, run } from '../../tooling/programs.ts';
import { startCuttingProxy } from '../../tooling/proxies/cutting-proxy.ts';
import { withTrial } from '../build/client-trial.ts';

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

/** Allows guests, writes what the game reads, and returns a key for it. */
async function setUp(credentials: Credentials): Promise<string> {
  const developer = asDeveloper(credentials);
  const guests = { enabled: true, allowedIdps: ['anonymous'] };
  await ask(developer, 200, 'PATCH', `${projectPath(credentials)}/auth/end-user/config`, { body: guests });
  const path = publicStatePath(credentials, 'development');
  const { headers } = await ask(developer, 200, 'GET', path);
  const written = { headers: { 'If-Match': String(headers.etag) }, body: { state: { goldPerDig: 3 } } };
  await ask(developer, 200, 'PUT', path, written);
  return (await createApiKey(credentials, { name: 'game', kind: 'publishable' })).apiKey;
}

/** Runs a program while this one keeps serving. */
async function play(exe: string, start: string, env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn('mono', [exe, start], { env, timeout: 120_000 });
  const output = outputOf(child);
  const [code] = await once(child, 'close');
  assert.equal(code, 0, output());
  return output().trim();
}

async function tryUnity(at: string, credentials: Credentials): Promise<void> {
  assert.ok(existsSync('/usr/bin/mcs') || installPackages(...mono), 'apt-get could not install Mono');
  const { baseUrl, accountId, slug: project } = credentials;
  const key = await setUp(credentials);
  let writes = 0;
  const proxy = await startCuttingProxy(baseUrl, (method) => method === 'PATCH' && writes++ % 2 === 0);
  const source = readFileSync(join(root, 'examples/unity/Holdfast.cs'), 'utf8');
  const filled = source
    .replaceAll('http://127.0.0.1:8787', proxy.baseUrl)
    .replace('acc_…', accountId)
    .replace('svcp_…', key)
    .replace('Project = "hello"', `Project = "${project}"`)
    .replace('["aud"] = Url', `["aud"] = "${baseUrl}"`);
  writeFileSync(join(at, 'Holdfast.cs'), filled);
  const references = ['System.Net.Http', 'System.Numerics', '/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll'].map(
    (name) => `-r:${name}`,
  );
  const game = join(root, 'scripts/clients/tutorial-unity.cs');
  run('mcs', ['-langversion:7', '-warnaserror-', ...references, '-out:game.exe', 'Holdfast.cs', game], at);
  const data = join(at, 'player');
  mkdirSync(data);
  for (const start of ['first', 'second'])
    console.log(await play(join(at, 'game.exe'), start, { ...process.env, GAME_DATA: data }));
  assert.ok(proxy.cuts > 0);
  console.log(`Unity: compiled by mcs and run by mono; ${proxy.cuts} answers of writes were lost on the way`);
  proxy.stop();
}

function tryGodot(at: string): void {
  const target = join(at, 'gdtoolkit');
  run('python3', ['-m', 'pip', 'install', '--quiet', '--target', target, 'gdtoolkit==4.5.0'], at);
  const programs = [readFileSync(join(root, 'examples/godot/holdfast.gd'), 'utf8'), ...programsOf('godot.md', 'gdscript')];
  for (const [index, program] of programs.entries()) {
    const file = join(at, `program-${index}.gd`);
    writeFileSync(file, program);
    run('env', [`PYTHONPATH=${target}`, 'python3', '-m', 'gdtoolkit.parser', file], at);
  }
  console.log(`Godot: ${programs.length} programs parsed by gdtoolkit, none run`);
}

await withTrial('tutorials', async (at, _options, credentials) => {
  await tryUnity(at, credentials);
  tryGodot(at);
});

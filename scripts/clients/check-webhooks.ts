/**
 * `node scripts/clients/check-webhooks.ts`: runs the receivers of docs/webhooks.md in JavaScript, Python, Go and PHP. Each must accept what a
 * running service sends to it, and refuse it once the secret has changed. What the page passes on must reach the other services. Needs
 * Python, Go and their registries, and PHP or Debian as root.
 */
import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { ask } from '../../tooling/api.ts';
import { endWithThis, outputOf } from '../../tooling/child-processes.ts';
import { codeBlocks } from '../../tooling/code-blocks.ts';
import { asDeveloper, type Credentials, createApiKey, projectPath, withServer } from '../../tooling/credentials.ts';
import { requireProgram, run } from '../../tooling/programs.ts';
import { listens, until } from '../../tooling/until.ts';

/** Below the packages of this repository, which has the verifier in JavaScript. */
const cache = join(import.meta.dirname, '../../node_modules/.cache/check-webhooks');
const page = readFileSync(join(import.meta.dirname, '../../docs/webhooks.md'), 'utf8');
const pythonPackages = ['standardwebhooks==1.1.0', 'flask==3.1.3'];
const goModule = 'github.com/standard-webhooks/standard-webhooks/libraries';
const goVersion = 'v0.0.1';
const patience = 20_000;

/** A program of the page. */
function programOf(language: string, index = 0): string {
  const program = codeBlocks(page, language)[index];
  assert.ok(program, `docs/webhooks.md lacks a program in ${language}`);
  return program;
}

interface Language {
  readonly name: string;
  readonly file: string;
  /** Installs what the program needs, and returns the command that runs it on a port. */
  command(folder: string, port: number): readonly string[];
}

const languages: readonly Language[] = [
  { name: 'js', file: 'receiver.mjs', command: () => [process.execPath, 'receiver.mjs'] },
  {
    name: 'python',
    file: 'receiver.py',
    command(folder, port) {
      const python = join(folder, 'venv/bin/python');
      if (!existsSync(python)) run('python3', ['-m', 'venv', 'venv'], folder);
      run(python, ['-m', 'pip', 'install', '--quiet', ...pythonPackages], folder);
      return [python, '-m', 'flask', '--app', 'receiver', 'run', '--port', String(port)];
    },
  },
  {
    name: 'go',
    file: 'receiver.go',
    command(folder) {
      if (!existsSync(join(folder, 'go.mod'))) run('go', ['mod', 'init', 'receiver'], folder);
      run('go', ['get', `${goModule}@${goVersion}`], folder);
      run('go', ['build', '-o', 'receiver'], folder);
      return ['./receiver'];
    },
  },
  {
    name: 'php',
    file: 'receiver.php',
    command(_folder, port) {
      requireProgram('php', 'php-cli');
      return ['php', '-S', `127.0.0.1:${port}`, 'receiver.php'];
    },
  },
];

/** Makes a webhook to a URL. Returns what its creation shows, and what sends to its path. */
async function newWebhook(credentials: Credentials, url: string) {
  const developer = asDeveloper(credentials);
  const path = `${projectPath(credentials)}/webhooks`;
  const { text } = await ask(developer, 201, 'POST', path, { body: { url, events: ['api_key.created'] } });
  const { id, secret } = JSON.parse(text) as { id: string; secret: string };
  const call = (status: number, method: string, rest: string, body?: object) =>
    ask(developer, status, method, `${path}/${id}${rest}`, body && { body });
  return { secret, call };
}

type Made = Awaited<ReturnType<typeof newWebhook>>;

/** The status that a receiver replied to the newest delivery of a type, once it has. */
async function repliedTo({ call }: Made, type: string): Promise<number> {
  let status: number | null | undefined = null;
  const isAnswered = async () => {
    const { text } = await call(200, 'GET', '/deliveries');
    const { items } = JSON.parse(text) as { items: { type: string; responseStatus: number | null }[] };
    status = items.find((each) => each.type === type)?.responseStatus;
    return typeof status === 'number';
  };
  await until(isAnswered, { withinMilliseconds: patience, otherwise: `nothing replied to ${type}` });
  return status as unknown as number;
}

async function check(credentials: Credentials, { name, file, command }: Language): Promise<void> {
  const folder = join(cache, name);
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  writeFileSync(join(folder, file), programOf(name).replaceAll('3000', String(port)));
  const [exe = '', ...args] = command(folder, port);
  const made = await newWebhook(credentials, `http://127.0.0.1:${port}/holdfast`);
  const env = { ...process.env, WEBHOOK_SECRET: made.secret };
  const receiver = endWithThis(spawn(exe, args, { cwd: folder, env }));
  const output = outputOf(receiver);
  try {
    await until(() => listens(port), {
      withinMilliseconds: patience,
      otherwise: () => `${name} does not listen: ${output()}`,
    });
    await createApiKey(credentials, { name: `for ${name}` });
    assert.equal(await repliedTo(made, 'api_key.created'), 204, `${name} refuses what is signed: ${output()}`);
    await made.call(200, 'POST', '/secret', { now: true });
    await made.call(202, 'POST', '/test');
    assert.equal(await repliedTo(made, 'test'), 401, `${name} accepts what is signed with another secret: ${output()}`);
    await made.call(204, 'DELETE', '');
  } finally {
    receiver.kill('SIGKILL');
  }
}

/** Runs what passes events on, and checks what reaches the other services. */
async function checkPassingOn(): Promise<void> {
  const bodies: unknown[] = [];
  const others = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    bodies.push([request.url, request.headers.authorization ?? null, JSON.parse(Buffer.concat(chunks).toString())]);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(others, 'listening');
  const url = `http://127.0.0.1:${(others.address() as AddressInfo).port}`;
  const data = { projectSlug: 'my-game', environment: 'production', version: 8 };
  const file = join(cache, 'pass-on.mjs');
  writeFileSync(file, `${programOf('js', 1)}\nawait passOn(${JSON.stringify({ type: 'public_state.changed', data })});\n`);
  const urls = { CHAT_URL: `${url}/chat`, PURGE_URL: `${url}/purge`, BUILD_URL: `${url}/build` };
  const env = { ...process.env, ...urls, PURGE_TOKEN: 'purge', BUILD_TOKEN: 'build' };
  const [status] = await once(spawn(process.execPath, [file], { env, stdio: 'inherit' }), 'close');
  others.close();
  assert.equal(status, 0, 'passing on failed');
  assert.deepEqual(bodies, [
    ['/chat', null, { text: 'my-game: production has version 8' }],
    ['/purge', 'Bearer purge', { files: ['https://cdn.example.com/production.json'] }],
    ['/build', 'Bearer build', { event_type: 'holdfast', client_payload: { environment: 'production', version: 8 } }],
  ]);
}

await withServer({}, async (server, credentials) => {
  for (const language of languages) {
    await check(credentials, language).catch((error: Error) => {
      error.message += `\n${server.output()}`;
      throw error;
    });
    console.log(`✓ ${language.name}`);
  }
});
await checkPassingOn();
console.log('✓ passing on');

/**
 * Follows the README and the first pages of the documentation like a newcomer: `node scripts/releases/try-docs.ts`. Clones the last commit
 * into an empty folder, starts the service there with `npm start` alone, and runs every shell block of the pages below, in order, in one
 * terminal per page. Then the build results of the pages are installed for production (`try-installs.ts`). A line that fails, or a request
 * that returns another error than the page shows below it, ends it with status 1. Needs npm's registry, curl and bash. With
 * files as arguments, only these pages are tried.
 */

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { codeBlocks, sectionOf } from '../../tooling/code-blocks.ts';
import { responds, until } from '../../tooling/until.ts';
import { tryInstalls } from './try-installs.ts';

const root = join(import.meta.dirname, '../..');
/** These end what hangs, also on a slow machine. */
const readyMillisecondsMax = 600_000;
const pageMillisecondsMax = 600_000;

/** The pages, in a newcomer's order, with the files that a page tells its reader to save. */
const pages: readonly Page[] = [
  { path: 'README.md' },
  { path: 'docs/install.md', section: 'First requests' },
  { path: 'docs/install.md', section: 'npm packages and single executable' },
  { path: 'docs/README.md' },
  {
    path: 'docs/first-game.md',
    files: { 'server.mjs': ['js', 0], 'schema.json': ['json', 2], 'game-server.mjs': ['js', 4] },
  },
  { path: 'docs/tutorials/game-server.md', files: { 'server.mjs': ['js', 0] } },
  {
    path: 'docs/feature-flags.md',
    files: {
      'flags.json': ['json', 0],
      'set-flags.mjs': ['js', 0],
      'server-flags.mjs': ['js', 2],
      'client-flags.mjs': ['js', 3],
      'web-flags.mjs': ['js', 4],
    },
    prints: ['new shop: true\ngold: 10\n', 3],
  },
  {
    path: 'docs/schemas.md',
    files: {
      'shop.schema.json': ['json', 0],
      'shop.json': ['json', 1],
      'save.schema.json': ['json', 4],
      'flags.json': ['json', 5],
    },
    prints: ['export interface Save {', 1],
  },
  { path: 'docs/webhooks.md', files: { 'receiver.mjs': ['js', 0] }, prints: ["type: 'test'", 1] },
  { path: 'docs/proposals.md' },
  { path: 'docs/guests.md' },
  { path: 'docs/access.md' },
  { path: 'docs/live.md' },
  { path: 'docs/moving-players.md' },
  { path: 'examples/node-server/README.md' },
  { path: 'examples/web-game/README.md' },
  { path: 'examples/react/README.md' },
  { path: 'examples/sign-in/README.md' },
];

interface Page {
  readonly path: string;
  /** The heading of the only section whose blocks are run; the others need another machine. */
  readonly section?: string;
  /** File names, each with language and index of the block that contains its text. They are saved when a line names them. */
  readonly files?: Readonly<Record<string, readonly [language: string, index: number]>>;
  /** What its programs print, and how often. */
  readonly prints?: readonly [text: string, times: number];
}

/** Programs that run until stopped. Each must still run after some seconds. */
const lasting =
  /^(?:[A-Z]+=\S+ )?(?:npx holdfast serve|\.\/holdfast|npx vite|npm run dev|node (?:game-)?server\.mjs|node receiver\.mjs|(?:npx )?node examples\/\S+\/main\.mjs)/;

/** A position in the text where readers continue in a new terminal, in the folder of the clone. */
const newTerminal = /\b(?:another|other|second) terminal\b/;

/** The error that the page shows as the response to the last line of a block. */
const errorBelow = /^\s*```json\n\{\s*"error": "(\w+)"/;

/** The shell blocks of a page, as one program per terminal that its reader opens. */
function terminalsOf(text: string): string[][] {
  const terminals: string[][] = [];
  let prose = '';
  const parts = text.split(/^(```[\s\S]*?^```)$/m);
  for (const [index, part] of parts.entries()) {
    const [, block] = /^```sh\n([\s\S]*?)^```/m.exec(part) ?? [];
    if (!part.startsWith('```')) prose += part;
    if (block === undefined) continue;
    const lines = block
      .trimEnd()
      .replaceAll(/\\\n\s*/g, '')
      .split('\n');
    const [, error] = errorBelow.exec(parts.slice(index + 1).join('')) ?? [];
    if (error !== undefined) lines.push(`refused ${error} ${lines.pop()}`);
    const paragraph = prose.trim().split('\n\n').at(-1) ?? '';
    const last = terminals.at(-1);
    if (last === undefined || newTerminal.test(paragraph)) terminals.push(lines);
    else last.push(...lines);
    prose = '';
  }
  return terminals;
}

/** A line as bash runs it: with the address, key and account of this run, and returning to the prompt. */
function runnable(line: string, files: Files, baseUrl: string, freePorts: Readonly<Record<string, string>>): string {
  if (/^npm start\b/.test(line)) return ': # it runs since the first page';
  const known = line
    .replaceAll('http://127.0.0.1:8787', baseUrl)
    .replaceAll(/(?<=--port )\d+/g, (port) => freePorts[port] ?? port)
    .replaceAll('svcp_…', '$(newest svcp_)')
    .replaceAll('acc_…', '$(newest "Account +acc_" | grep -o "acc_.*")');
  return filesNamed(line, files)
    .map((file) => `cp "$TRIED/${file}" .\n`)
    .join('')
    .concat(withLasting(known));
}

/** The text of each file that a page tells its reader to save. */
type Files = Readonly<Record<string, string>>;

/** The files that a line names, and those that these name. */
function filesNamed(line: string, files: Files): string[] {
  const named = new Set<string>();
  const texts = [line];
  for (const text of texts) {
    for (const [file, content] of Object.entries(files)) {
      if (named.has(file) || !text.includes(file)) continue;
      named.add(file);
      texts.push(content);
    }
  }
  return [...named];
}

const withLasting = (line: string): string =>
  line
    .split(' && ')
    .map((command) =>
      lasting.test(command) ? `lasting ${command.replace(/^[A-Z]+=/, 'env $&').replace(/\s+#.*/, '')}` : command,
    )
    .join(' && ');

const shell = `set -euo pipefail
exec 3>&1
# Whatever was printed before the mark is in the file once the mark is.
newest() {
  local mark="mark $RANDOM$RANDOM$RANDOM"
  echo "$mark" >&3
  until grep -qF "$mark" "$TRIED/output"; do sleep 0.1; done
  grep -oE "$1[0-9A-Za-z]{8,}" "$TRIED/output" | tail -n 1
}
# A program that was started just now may not listen yet.
curl() {
  local again=(--retry 60 --retry-delay 1 --retry-connrefused) status=0
  case " $* " in
    *' -N '*) command curl -sS --max-time 3 "$@" || [ $? = 28 ];;
    *) command curl -sS --fail-with-body "\${again[@]}" "$@" || status=$?; echo; return "$status";;
  esac
}
# The response is this error, whose text the page shows.
refused() {
  local error=$1 response
  shift
  if response=$("$@" 2>&1); then echo "it was not refused: $response"; return 1; fi
  echo "$response"
  grep -qF '"error":"'"$error"'"' <<< "$response"
}
last=
lasting() {
  if [ -n "$last" ]; then kill -- "-$last"; while kill -0 -- "-$last" 2>/dev/null; do sleep 0.1; done; fi
  # The package needs a newer Node than the rest; its page says so.
  if [ "$1 $2" = 'npx holdfast' ]; then set -- env PATH="$NEWER_NODE:$PATH" "$@"; fi
  setsid "$@" & local started=$!
  disown "$started"
  last=$started
  echo "$started" >> "$TRIED/lasting"
  sleep 5
  kill -0 "$started" || { echo "it ended by itself: $*"; return 1; }
}
`;

/** Runs the lines of a terminal, printing each first. Rejects if one fails. */
async function runTerminal(lines: readonly string[], clone: string, tried: string, run: (line: string) => string) {
  const echoed = lines.map((line) => {
    const isCommand = line !== '' && !/^\s*(?:#|done\b|[^'"]*& ?$)/.test(line);
    return `${isCommand ? `printf '%s\\n' '$ ${line.replaceAll("'", `'\\''`)}'\n` : ''}${run(line)}`;
  });
  const bash = spawn('bash', ['-c', shell + echoed.join('\n')], {
    cwd: clone,
    env: { ...process.env, TRIED: tried, NEWER_NODE: dirname(process.execPath), PATH: withoutPackages() },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: pageMillisecondsMax,
  });
  bash.stdout.on('data', (chunk: Buffer) => {
    process.stdout.write(chunk);
    appendFileSync(join(tried, 'output'), chunk);
  });
  // Programs that keep running hold the output open, so its end is not awaited.
  const [status, signal] = await once(bash, 'exit');
  if (status !== 0) throw new Error(`the line above failed: ${signal ?? `status ${status}`}`);
}

/** The reader's PATH has no programs of this repository. */
const withoutPackages = () =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(delimiter);

async function startService(clone: string, port: number): Promise<ChildProcess> {
  const env = { ...process.env, SVC_PORT: String(port), PATH: withoutPackages() };
  const service = spawn('npm', ['start'], { cwd: clone, env, stdio: ['ignore', 'ignore', 'inherit'], detached: true });
  const begun = performance.now();
  const otherwise = '`npm start` was not ready';
  const isReady = () => {
    if (service.exitCode !== null) throw new Error(otherwise);
    return responds(`http://127.0.0.1:${port}/readyz`);
  };
  await until(isReady, { withinMilliseconds: readyMillisecondsMax, everyMilliseconds: 200, otherwise });
  console.log(`npm start: ready after ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  return service;
}

/** Waits until the output has a text as often as the page promises. What a page has sent may still be on its way. */
function untilPrinted(output: string, [text, times]: NonNullable<Page['prints']>): Promise<void> {
  const isPrinted = () => readFileSync(output, 'utf8').split(text).length - 1 === times;
  return until(isPrinted, { withinMilliseconds: 60_000, otherwise: `the page did not print ${times} times: ${text}` });
}

/** Kills a process and its children. */
function end(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGTERM');
  } catch {
    // It has already exited.
  }
}

/** Installs the build results of the pages for production, if Debian has the proxy for it. */
async function tryInstallsOf(built: string): Promise<void> {
  if (process.getuid?.() !== 0 || spawnSync('dpkg-deb', ['--version']).error !== undefined) {
    console.log('This is not Debian as root: no production install was tried.');
    return;
  }
  execFileSync('npm', ['run', 'build', '--', 'deb'], { cwd: built, env: { ...process.env, PATH: withoutPackages() } });
  await tryInstalls(built);
}

const named = process.argv.slice(2);
const chosen = named.length === 0 ? pages : pages.filter(({ path }) => named.includes(path));
const place = mkdtempSync(join(tmpdir(), 'holdfast-docs-'));
const clone = join(place, 'holdfast');
const tried = join(place, 'tried');
mkdirSync(tried);
execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, clone]);
const port = await freePort();
const freePorts = { 8788: String(await freePort()), 8789: String(await freePort()) };
let service: ChildProcess | undefined;
try {
  service = await startService(clone, port);
  for (const page of chosen) {
    const { path, prints } = page;
    console.log(`\n== ${path}`);
    const whole = readFileSync(join(clone, path), 'utf8');
    const text = page.section === undefined ? whole : sectionOf(whole, page.section);
    writeFileSync(join(tried, 'lasting'), '');
    writeFileSync(join(tried, 'output'), '');
    const files: Files = Object.fromEntries(
      Object.entries(page.files ?? {}).map(([name, [language, index]]) => [name, codeBlocks(text, language)[index] ?? '']),
    );
    for (const [name, content] of Object.entries(files)) writeFileSync(join(tried, name), content);
    try {
      for (const lines of terminalsOf(text)) {
        await runTerminal(lines, clone, tried, (line) => runnable(line, files, `http://127.0.0.1:${port}`, freePorts));
      }
      if (prints) await untilPrinted(join(tried, 'output'), prints);
    } finally {
      for (const pid of readFileSync(join(tried, 'lasting'), 'utf8').split('\n')) if (pid !== '') end(Number(pid));
    }
  }
  console.log('\nEvery line of the pages works, in its order.');
  if (chosen === pages) await tryInstallsOf(clone);
} finally {
  end(service?.pid);
  if (service && service.exitCode === null) await once(service, 'exit');
  rmSync(place, { recursive: true, force: true });
}

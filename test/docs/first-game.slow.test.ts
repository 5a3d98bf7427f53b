/** Follows docs/first-game.md as a reader does, in order: its files, its shell lines, and its game in a browser. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { launchBrowser } from '../../tooling/browser.ts';
import { codeBlocks, placed, sectionOf } from '../../tooling/code-blocks.ts';
import { readVariables } from '../../tooling/credentials.ts';
import { mailTo } from '../../tooling/outbox.ts';
import { type ServerProcess, startServerProcess } from '../../tooling/server-process.ts';
import { until } from '../../tooling/until.ts';
import { save as saveInConsole, typeDocument } from '../console/editor.ts';
import { fillSignUp, password } from '../login/stage.ts';

const root = join(import.meta.dirname, '../..');
const text = readFileSync(join(root, 'docs/first-game.md'), 'utf8');
const reactPage = join(root, 'test/docs/first-game.virtual.tsx');

const guestsText = readFileSync(join(root, 'docs/guests.md'), 'utf8');

const blocks = (step: string, language: string) => codeBlocks(sectionOf(text, step), language);

let place: string;
let folder: string;
let port: number;
let gamePort: number;
let service: ServerProcess;
let browser: Browser;
let context: BrowserContext;
let one: Page;
let game: ChildProcess | undefined;
let variables: NodeJS.Dict<string>;

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'holdfast-first-game-'));
  mkdirSync(join(place, 'holdfast'));
  folder = join(place, 'my-game');
  port = await freePort();
  gamePort = await freePort();
  [browser] = await Promise.all([launchBrowser(), startService()]);
  context = await browser.newContext({ locale: 'en-GB' });
  context.setDefaultTimeout(30_000);
  one = await context.newPage();
});
afterAll(async () => {
  await browser?.close();
  game?.kill();
  await service?.kill();
  rmSync(place, { recursive: true, force: true });
});

async function startService(): Promise<void> {
  service = await startServerProcess({ dataDir: join(place, 'holdfast/data'), port });
}

/** A block with the addresses and the key of this run. */
const filled = (block: string) =>
  placed(block, { baseUrl: service.baseUrl, port: gamePort, key: variables.HOLDFAST_PUBLISHABLE_KEY ?? '' });

/** Runs shell lines in the terminal of the page, whose folder is the game's after the first ones. */
function shell(lines: string, before = 'cd ../my-game'): string {
  const program = `set -eu; cd holdfast\n. data/dev.env\n${before}\ncurl() { command curl -sS --fail-with-body "$@"; }\n${lines}`;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', program], { cwd: place, encoding: 'utf8' });
  expect(status, `${lines}${stdout}${stderr}`).toBe(0);
  return stdout;
}

/** Runs the command that serves the page, and waits for it. The one before ends. */
async function runGame(command: string): Promise<void> {
  if (game !== undefined) {
    const ended = once(game, 'exit');
    game.kill();
    await ended;
  }
  const [, file = ''] = /^node (\S+\.mjs)\n$/.exec(command) ?? [];
  game = spawn(process.execPath, [file], { cwd: folder, env: { ...process.env, ...variables }, stdio: 'inherit' });
  const responds = () =>
    fetch(`http://localhost:${gamePort}/`).then(
      () => true,
      () => false,
    );
  await until(responds, { withinMilliseconds: 30_000, everyMilliseconds: 50, otherwise: `${file} does not respond` });
}

const add = (heading: string, index = 0) => {
  const block = blocks(heading, 'js')[index] ?? '';
  expect(block).not.toBe('');
  appendFileSync(join(folder, 'game.js'), filled(block));
};
const open = (page: Page) => page.goto(`http://localhost:${gamePort}/`);
const shows = (page: Page, id: string, wanted: string) => page.waitForSelector(`#${id}:text-is("${wanted}")`);

/** Adds the members of the page's JSON block to the document, in the console. */
async function addInConsole(heading: string): Promise<void> {
  const [block = ''] = blocks(heading, 'json');
  const headers = { Authorization: `ApiKey ${variables.HOLDFAST_API_KEY}` };
  const { state } = (await (await fetch(variables.HOLDFAST_STATE_URL ?? '', { headers })).json()) as { state: object };
  const console = await context.newPage();
  await console.goto(`http://127.0.0.1:${port}/console/p/hello/development/state`);
  await console.getByText('JSON', { exact: true }).click();
  await typeDocument(console, JSON.stringify({ ...JSON.parse(`{${block.trimEnd().replace(/,$/, '')}}`), ...state }));
  await saveInConsole(console);
  await console.locator('.toast').first().waitFor();
  await console.close();
}

describe('the game of docs/first-game.md', () => {
  it('1 and 2: an empty folder, and a page', async () => {
    const [start, second] = blocks('1.', 'sh');
    expect(start).toBe('npm start\n');
    expect(shell(`${second}pwd`, '').trim()).toBe(folder);
    variables = readVariables(join(place, 'holdfast/data/dev.env'));
    // The port of the page differs in this test, so its address has to be allowed.
    shell(`curl -X PATCH -H "Authorization: Bearer $HOLDFAST_DEVELOPER_TOKEN" -H 'Content-Type: application/json' \
      -d '{"redirectUris":["http://localhost:${gamePort}/"]}' \
      "$HOLDFAST_URL/v1/$HOLDFAST_ACCOUNT_ID/projects/hello/auth/end-user/config"`);
    const console = await context.newPage();
    await console.goto(variables.HOLDFAST_CONSOLE_URL ?? '');
    await console.waitForURL((url) => !url.pathname.endsWith('/demo'));
    await console.close();
    writeFileSync(join(folder, 'index.html'), filled(blocks('2.', 'html')[0] ?? ''));
    writeFileSync(join(folder, 'server.mjs'), filled(blocks('2.', 'js')[0] ?? ''));
  });

  it('3: guests, two tabs, and what waits while the service is stopped', async () => {
    writeFileSync(join(folder, 'game.js'), '');
    add('3.');
    await runGame(blocks('3.', 'sh')[0] ?? '');
    await open(one);
    await shows(one, 'save', '0 digs, 0 gold');
    await one.click('#dig');
    await shows(one, 'save', '1 digs, 0 gold');
    await one.reload();
    await shows(one, 'save', '1 digs, 0 gold');
    const two = await context.newPage();
    await open(two);
    await shows(two, 'save', '1 digs, 0 gold');
    await Promise.all([one.click('#dig'), two.click('#dig')]);
    await Promise.all([one, two].map((page) => shows(page, 'save', '3 digs, 0 gold')));
    await two.close();
    await service.stop();
    for (let dig = 0; dig < 3; dig++) await one.click('#dig');
    await shows(one, 'save', '6 digs, 0 gold, 3 waiting');
    await startService();
    await shows(one, 'save', '6 digs, 0 gold');
  });

  it('4 and 5: a live title, and a flag', async () => {
    add('4.');
    await open(one);
    await shows(one, 'title', 'Dig');
    await addInConsole('4.');
    await shows(one, 'title', 'Gold rush');
    add('5.');
    await open(one);
    await shows(one, 'save', '6 digs, 0 gold');
    await one.click('#dig');
    await shows(one, 'save', '7 digs, 0 gold');
    await addInConsole('5.');
    const asked = await one.waitForResponse((response) => response.url().includes('/ofrep/'));
    expect(JSON.stringify(await asked.json())).toContain('strong-shovel');
    await one.click('#dig');
    await shows(one, 'save', '9 digs, 0 gold');
  });

  it('6 and 7: a schema, and a game server that gives gold once in a while', async () => {
    writeFileSync(join(folder, 'schema.json'), blocks('6.', 'json')[0] ?? '');
    shell(blocks('6.', 'sh')[0] ?? '');
    const [make = '', start = ''] = blocks('7.', 'sh');
    shell(make);
    const [gameServer = ''] = blocks('7.', 'js');
    writeFileSync(join(folder, 'game-server.mjs'), filled(gameServer));
    add('7.', 1);
    const elsewhere = { PATH: process.env.PATH };
    const { stderr } = spawnSync(process.execPath, ['game-server.mjs'], { cwd: folder, env: elsewhere, encoding: 'utf8' });
    expect(stderr).toMatch(/^Error: HOLDFAST_ACCOUNT_ID is missing: run `. data\/dev.env` in the clone$/m);
    await runGame(start);
    await open(one);
    await shows(one, 'save', '9 digs, 0 gold');
    await one.click('#chest');
    await one.click('#dig');
    await shows(one, 'message', 'You have 100 gold.');
    await shows(one, 'save', '11 digs, 100 gold');
    await one.click('#chest');
    await shows(one, 'message', 'The chest is closed for ten seconds.');
    const stranger = await fetch(`http://localhost:${gamePort}/chest`, {
      method: 'POST',
      headers: { Authorization: 'Bearer x' },
    });
    expect(stranger.status).toBe(403);
  });

  it('8: sign-up keeps the save', async () => {
    add('8.');
    await open(one);
    await one.click('#keep:visible');
    await one.waitForURL((url) => url.port === String(port));
    await fillSignUp(one, 'digger@mail.example');
    const { code = '' } = await mailTo(join(place, 'holdfast/data'), 'digger@mail.example');
    await one.fill('#code', code);
    await one.click('.primary');
    const skip = one.locator('#offer-skip:visible');
    await Promise.race([one.waitForURL((url) => url.port === String(gamePort)), skip.waitFor()]);
    if (new URL(one.url()).port !== String(gamePort)) await skip.click();
    await shows(one, 'save', '11 digs, 100 gold');
    // The page handles the redirect, which it may still do when it shows the save, before it gives its button something to do.
    await one.waitForFunction("document.getElementById('keep').onclick !== null");
    await one.waitForSelector('#keep', { state: 'hidden' });
  });

  it('8: a second device merges its guest as docs/guests.md says, within the rules of the schema', async () => {
    const [example = ''] = codeBlocks(sectionOf(guestsText, 'When the sign-in has a save already'), 'js');
    const client = filled(example);
    const file = join(folder, 'game.js');
    const program = readFileSync(file, 'utf8');
    const withClient = (text: string) => {
      const changed = program.replace(/^const \{ publicState, .*?^\}\);\n/ms, () => text);
      expect(changed).toContain(text);
      expect(changed.split('createClient(').length).toBe(2);
      writeFileSync(file, changed);
    };
    const tooMuch = client.replace('Math.min(guest.digs ?? 0, 100)', '(guest.digs ?? 0)');
    expect(tooMuch).not.toBe(client);
    withClient(tooMuch);
    const device = await browser.newContext({ locale: 'en-GB' });
    device.setDefaultTimeout(30_000);
    const laptop = await device.newPage();
    const said: string[] = [];
    laptop.on('console', (message) => said.push(message.text()));
    await open(laptop);
    await shows(laptop, 'save', '0 digs, 0 gold');
    await laptop.evaluate("for (let dig = 0; dig < 75; dig++) document.getElementById('dig').onclick()");
    await shows(laptop, 'save', '150 digs, 0 gold');
    await laptop.click('#keep:visible');
    await laptop.waitForURL((url) => url.port === String(port));
    await laptop.getByRole('link', { name: 'Sign in', exact: true }).click();
    await laptop.fill('#email', 'digger@mail.example');
    await laptop.fill('#password', password);
    await laptop.press('#password', 'Enter');
    await laptop.waitForURL((url) => url.port === String(gamePort));
    // The refused merge changes nothing, and the page says why.
    const tells = (part: string) =>
      until(() => said.some((line) => line.includes(part)), {
        withinMilliseconds: 30_000,
        everyMilliseconds: 50,
        otherwise: () => `the page does not say ${part}, but ${said.join('\n')}`,
      });
    await tells('/digs may increase by at most 100');
    await shows(laptop, 'save', '11 digs, 100 gold');
    withClient(client);
    await laptop.reload();
    await tells('merged');
    await Promise.all([one, laptop].map((page) => shows(page, 'save', '111 digs, 100 gold')));
    await device.close();
    writeFileSync(file, program);
  });

  it('9: cheating is refused, with the error on the page', async () => {
    const [cheat = ''] = blocks('9.', 'js');
    const [refusal = ''] = blocks('9.', 'text');
    const attempt = (change: string) => {
      const program = filled(cheat).replace('save.gold = 1_000_000', change);
      return one.evaluate(`(async () => { try { ${program} return 'stored' } catch (error) { return String(error) } })()`);
    };
    expect(await attempt('save.gold = 1_000_000')).toBe(refusal.trim());
    for (const change of ['save.digs += 1000', 'save.chestAt = 0', 'delete save.gold', 'save.digs = 0', 'save.cheat = 1']) {
      expect(await attempt(change)).toMatch(/^HoldfastError: the state does not fit the schema/);
    }
    await one.reload();
    await shows(one, 'save', '111 digs, 100 gold');
    await one.click('#dig');
    await shows(one, 'save', '113 digs, 100 gold');
  });
});

it('a flag for some players only, as docs/feature-flags.md goes on', async () => {
  const section = sectionOf(readFileSync(join(root, 'docs/feature-flags.md'), 'utf8'), 'Some players only');
  const [[member = ''], [line = '']] = [codeBlocks(section, 'json'), codeBlocks(section, 'js')];
  const url = variables.HOLDFAST_STATE_URL ?? '';
  const headers = { Authorization: `ApiKey ${variables.HOLDFAST_API_KEY}`, 'Content-Type': 'application/json' };
  const before = await fetch(url, { headers });
  const { state } = (await before.json()) as { state: { flags: Record<string, object> } };
  const name = 'strong-shovel';
  const flag = { ...state.flags[name], defaultVariant: 'off', ...JSON.parse(`{${member}}`) };
  const body = JSON.stringify({ state: { ...state, flags: { ...state.flags, [name]: flag } } });
  const ifMatch = { 'If-Match': before.headers.get('etag') ?? '' };
  expect((await fetch(url, { method: 'PUT', headers: { ...headers, ...ifMatch }, body })).status).toBe(200);
  const file = join(folder, 'game.js');
  const program = readFileSync(file, 'utf8');
  const [old = ''] = blocks('5.', 'js');
  expect(program).toContain(old);
  for (const [country, total] of [
    ['de', '115'],
    ['fr', '116'],
  ] as const) {
    writeFileSync(file, program.replace(old, line.replace("'de'", `'${country}'`)));
    const [asked] = await Promise.all([one.waitForResponse((response) => response.url().includes('/ofrep/')), open(one)]);
    expect(asked.status()).toBe(200);
    await asked.finished();
    await one.evaluate('new Promise((done) => setTimeout(done))');
    await one.click('#dig');
    await shows(one, 'save', `${total} digs, 100 gold`);
  }
});

/** Serves one page with one script, and opens it. */
async function openPage(page: string, script: string): Promise<{ readonly page: Page; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const isScript = request.url === '/app.js';
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? script : page);
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const opened = await browser.newPage();
  await opened.goto(`http://localhost:${(server.address() as AddressInfo).port}/`);
  return {
    page: opened,
    async close() {
      await opened.close();
      server.close();
    },
  };
}

it('the program of the README is a game', async () => {
  const [program = ''] = codeBlocks(readFileSync(join(root, 'README.md'), 'utf8'), 'html');
  const { page, close } = await openPage(`<!doctype html>${filled(program)}`, '');
  await page.waitForSelector('#dig:text-is("0 digs")');
  await page.click('#dig');
  await page.click('#dig');
  await page.waitForSelector('#dig:text-is("2 digs")');
  await close();
});

it('the game in React does the same', async () => {
  const [source = ''] = blocks('The same in React', 'tsx');
  const app = `${filled(source)}\nimport { createRoot } from 'react-dom/client';\ncreateRoot(document.getElementById('root')!).render(<Game />);\n`;
  const bundle = await rolldown({
    input: reactPage,
    cwd: root,
    platform: 'browser',
    transform: { define: { 'process.env.NODE_ENV': '"production"' }, jsx: 'react-jsx' },
    plugins: [
      { name: 'page', resolveId: (id) => (id === reactPage ? id : null), load: (id) => (id === reactPage ? app : null) },
    ],
  });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
  await bundle.close();
  const { page, close } = await openPage(
    '<div id="root"></div><script type="module" src="app.js"></script>',
    output[0].code,
  );
  await page.waitForSelector('h1:text-is("Gold rush")');
  await page.click('button:text-is("Dig")');
  await page.waitForSelector('p:text-is("1 digs, 0 gold, 0 waiting")');
  await close();
});

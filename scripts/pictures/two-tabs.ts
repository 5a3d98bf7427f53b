/**
 * `node scripts/pictures/two-tabs.ts`: draws docs/images/two-tabs.svg, a loop of two tabs with the game of docs/first-game.md that merge,
 * also while the service is stopped. The pictures are of the running service. It works without scripts, and shows its end to people who
 * prefer no motion.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { launchBrowser } from '../../tooling/browser.ts';
import { codeBlocks, placed, sectionOf } from '../../tooling/code-blocks.ts';
import { readCredentials, readVariables } from '../../tooling/credentials.ts';
import { type ServerProcess, startServerProcess, withDataDir } from '../../tooling/server-process.ts';

const root = join(import.meta.dirname, '../..');
const target = join(root, 'docs/images/two-tabs.svg');
const text = readFileSync(join(root, 'docs/first-game.md'), 'utf8');
const size = { width: 340, height: 170 };
const gap = 20;
const captionHeight = 34;
const frameSeconds = 1.8;
const bytesMax = 400_000;

/** The game of the page, larger and in colour, without the buttons of later steps. */
const style = `<style>
  body { font: 18px/1.4 system-ui, sans-serif; margin: 0; padding: 18px 24px; background: #fff8ec; color: #3b2a14 }
  h1 { font-size: 24px; margin: 0 }
  p { margin: 8px 0 14px; font-size: 22px; white-space: nowrap }
  button { font: inherit; padding: 6px 26px; border: 0; border-radius: 8px; background: #8a5a1c; color: #fff }
  #chest, #keep, #message { display: none }
</style>`;

/** Both tabs at one moment, and what has happened. */
interface Frame {
  readonly caption: string;
  readonly pictures: readonly [Buffer, Buffer];
}

const shows = (page: Page, save: string) => page.waitForSelector(`#save:text-is("${save}, 0 gold")`);

/** Plays the game in two tabs, and returns the pictures. */
async function play(dataDir: string): Promise<Frame[]> {
  const port = await freePort();
  const start = (): Promise<ServerProcess> => startServerProcess({ dataDir, port });
  let service = await start();
  const browser = await launchBrowser();
  const game = createServer((request, response) => {
    response.setHeader('Content-Type', request.url === '/game.js' ? 'text/javascript' : 'text/html');
    response.end(request.url === '/game.js' ? script : index);
  });
  game.listen(0, 'localhost');
  await once(game, 'listening');
  const { port: gamePort } = game.address() as AddressInfo;
  await readCredentials(dataDir, service.baseUrl);
  const { HOLDFAST_PUBLISHABLE_KEY: key = '' } = readVariables(join(dataDir, 'dev.env'));
  const place = { baseUrl: service.baseUrl, port: gamePort, key };
  const index = `${codeBlocks(sectionOf(text, '2.'), 'html')[0]}${style}`;
  const script = ['3.', '4.'].map((step) => placed(codeBlocks(sectionOf(text, step), 'js')[0] ?? '', place)).join('\n');
  try {
    const context = await browser.newContext({ viewport: size, deviceScaleFactor: 1.5 });
    const tabs = [await context.newPage(), await context.newPage()] as const;
    const [one, two] = tabs;
    const frames: Frame[] = [];
    const both = async (save: string, caption: string): Promise<void> => {
      await Promise.all(tabs.map((tab) => shows(tab, save)));
      await take(caption);
    };
    const take = async (caption: string): Promise<void> => {
      frames.push({ caption, pictures: [await one.screenshot(), await two.screenshot()] });
    };
    for (const tab of tabs) await tab.goto(`http://localhost:${gamePort}/`);
    await both('0 digs', 'A guest opens the game in two tabs');
    await one.click('#dig');
    await both('1 digs', 'A dig in one tab shows in the other');
    await Promise.all(tabs.map((tab) => tab.click('#dig')));
    await both('3 digs', 'Digs in both at once add up');
    await service.stop();
    for (const tab of [one, one, two]) await tab.click('#dig');
    await Promise.all(tabs.map((tab) => tab.waitForSelector('#save:has-text("6 digs, 0 gold, 3 waiting")')));
    await take('The service is stopped: three digs wait on the device');
    service = await start();
    await both('6 digs', 'It is back: each dig has arrived, once');
    return frames;
  } finally {
    await browser.close();
    game.close();
    await service.kill();
  }
}

/** The frames as one animated picture. Equal pictures are in it once. */
function draw(frames: readonly Frame[]): string {
  const width = 2 * size.width + gap;
  const height = size.height + captionHeight;
  const share = 100 / frames.length;
  const images = new Map<string, string>();
  const nameOf = (picture: Buffer): string => {
    const name = `p${createHash('sha256').update(picture).digest('hex').slice(0, 8)}`;
    images.set(
      name,
      `<image id="${name}" width="${size.width}" height="${size.height}" clip-path="url(#c)" href="data:image/png;base64,${picture.toString('base64')}"/>`,
    );
    return name;
  };
  const shown = frames.map(({ caption, pictures: [left, right] }, index) => {
    const delay = (index * frameSeconds).toFixed(1);
    return `<g class="frame" style="animation-delay:${delay}s">
<use href="#${nameOf(left)}"/><use href="#${nameOf(right)}" x="${size.width + gap}"/>
<text x="${width / 2}" y="${size.height + 23}">${caption}</text></g>`;
  });
  const seconds = (frames.length * frameSeconds).toFixed(1);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>Two tabs of one game</title>
<style>
text { font: 16px system-ui, sans-serif; text-anchor: middle; fill: #777 }
.frame { opacity: 0; animation: frame ${seconds}s step-end infinite }
@keyframes frame { 0% { opacity: 1 } ${share.toFixed(2)}% { opacity: 0 } }
@media (prefers-reduced-motion) { .frame { animation: none } .frame:last-child { opacity: 1 } }
</style>
<defs><clipPath id="c"><rect width="${size.width}" height="${size.height}" rx="10"/></clipPath>
${[...images.values()].join('\n')}</defs>
${shown.join('\n')}
</svg>
`;
}

const svg = draw(await withDataDir(play));
if (svg.length > bytesMax) throw new Error(`the picture has ${svg.length} bytes, not ${bytesMax}`);
writeFileSync(target, svg);
console.log(`docs/images/two-tabs.svg: ${svg.length} bytes`);

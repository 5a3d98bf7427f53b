/**
 * `node scripts/pictures/large-console.ts [PORT]`: a service with the console and as much data as a live game, to explore. It prints links
 * that sign in to it, and runs until interrupted.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLargeStudio } from '../../test/console/large-studio.ts';
import { openConsoleWorld } from '../../test/console/world.ts';
import { sqlitePlace } from '../../test/support/place-sqlite.ts';

const linkCount = 5;

const place = sqlitePlace(mkdtempSync(join(tmpdir(), 'holdfast-console-')));
const world = await openConsoleWorld({ place, settings: { SVC_PORT: process.argv[2] ?? '0' } });
const { developer, slug } = await openLargeStudio(world.server);
await world.browser.close();
console.log(`The project is ${world.server.baseUrl}/console/p/${slug}. Each of these links signs in once:`);
for (let count = 0; count < linkCount; count++) console.log(await world.linkFor(developer));
process.once('SIGINT', async () => {
  await world.server.stop();
  await place.remove();
});

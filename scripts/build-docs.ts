/**
 * `node scripts/build-docs.ts`: builds the documentation site into `packages/site/dist`, which is committed as plain text: changing a page
 * changes only its file, and can be merged. With `--check`, it builds elsewhere and reports differences from the committed files.
 */
import { join } from 'node:path';
import { buildSite } from '../packages/site/src/build.ts';
import { withFolder } from '../tooling/workspace.ts';
import { differingFiles } from './build/committed.ts';

const committed = join(import.meta.dirname, '../packages/site/dist');

if (process.argv.includes('--check')) await check();
else await buildSite(committed);

async function check(): Promise<void> {
  await withFolder('docs', async (folder) => {
    await buildSite(folder);
    const differing = differingFiles(folder, committed);
    for (const name of differing) console.log(`packages/site/dist/${name} is not what docs builds`);
    if (differing.length === 0) return;
    console.log('`node scripts/build-docs.ts` builds the site again.');
    process.exitCode = 1;
  });
}

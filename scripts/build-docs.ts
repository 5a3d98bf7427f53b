/**
 * `node scripts/build-docs.ts`: builds the documentation site into `packages/site/dist`, which is committed as plain text: changing a page
 * changes only its file, and can be merged. With `--check`, it builds elsewhere and reports differences from the committed files.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSite } from '../packages/site/src/build.ts';

const committed = join(import.meta.dirname, '../packages/site/dist');

if (process.argv.includes('--check')) await check();
else await buildSite(committed);

async function check(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-docs-'));
  try {
    await buildSite(folder);
    const names = [...new Set([...filesOf(folder), ...filesOf(committed)])].sort();
    const differing = names.filter((name) => read(folder, name) !== read(committed, name));
    for (const name of differing) console.log(`packages/site/dist/${name} is not what docs builds`);
    if (differing.length === 0) return;
    console.log('`node scripts/build-docs.ts` builds the site again.');
    process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    );
}

function read(folder: string, name: string): string | undefined {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch {
    return undefined;
  }
}

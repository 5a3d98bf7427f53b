/** Publishes to a registry on loopback like the release, with all possible failures, and runs the published program. */

import { strict as assert } from 'node:assert';
import { appendFileSync, cpSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { withFolder } from '../../tooling/workspace.ts';
import { startRegistry } from './local-registry.ts';
import { npmRegistry, type PackageFile, packagesIn, publishPackages, type Registry } from './publish-packages.ts';
import { tryNpx } from './try-npx.ts';

/** Publishes the files of `release` to a registry in `folder`, and tries `npx` from there. Rejects with what would break the release. */
export async function rehearsePublication(release: string, folder: string, version: string): Promise<void> {
  rmSync(join(folder, 'storage'), { recursive: true, force: true });
  const local = await startRegistry(folder);
  try {
    const registry = npmRegistry({ ...process.env, ...local.environment });
    const files = packagesIn(release, version);
    await publishInPieces(files, registry);
    await refuseOtherContent(files, registry, version);
    await tryNpx(version, local.environment);
  } finally {
    await local.stop();
  }
}

const tell = (line: string) => console.log(`  ${line}`);

async function publishInPieces(files: readonly PackageFile[], registry: Registry): Promise<void> {
  console.log('The first time, no package exists:');
  const refused = await publishPackages(files, registry, { first: false, tell }).then(
    () => undefined,
    (error: Error) => error.message,
  );
  assert.match(refused ?? '', /only a person can create a package there; nothing was sent/);
  tell((refused ?? '').split('\n')[0] ?? '');
  for (const { package: name } of files) assert.equal(await registry.versions(name), undefined, `${name} was created`);

  console.log('A person creates them, and is cut off after the second:');
  const sent: string[] = [];
  const failing: Registry = {
    ...registry,
    async publish(file) {
      if (sent.length === 2) throw new Error('the connection was lost');
      sent.push(file);
      await registry.publish(file);
    },
  };
  await assert.rejects(publishPackages(files, failing, { first: true, tell }), /the connection was lost/);
  tell('the connection was lost');

  console.log('The same command again:');
  await publishPackages(files, registry, { first: true, tell });
  console.log('And once more, as the workflow runs it:');
  const nothing: Registry = { ...registry, publish: () => Promise.reject(new Error('something was sent')) };
  await publishPackages(files, nothing, { first: false, tell });
}

/** A file with one more byte is different, even if npm would unpack it identically. */
async function refuseOtherContent(files: readonly PackageFile[], registry: Registry, version: string): Promise<void> {
  console.log('The same version with another content:');
  await withFolder('other', async (place) => {
    for (const { file } of files) cpSync(file, join(place, basename(file)));
    appendFileSync(join(place, `holdfast-${version}.tgz`), '\0');
    const nothing: Registry = { ...registry, publish: () => Promise.reject(new Error('something was sent')) };
    await assert.rejects(publishPackages(packagesIn(place, version), nothing, { first: false, tell }), (error: Error) => {
      tell(error.message.split('\n').join('\n  '));
      return /published already, with another content; nothing was sent/.test(error.message);
    });
  });
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PackageFile, packageNames, packagesIn, publishPackages, type Registry } from './publish-packages.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-publish-'));
let files: readonly PackageFile[] = [];

beforeAll(() => {
  for (const name of packageNames)
    writeFileSync(join(folder, `${name.replace('@', '').replace('/', '-')}-0.2.0.tgz`), name);
  files = packagesIn(folder, '0.2.0');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A registry with these versions, which refuses after this many publications. */
function registryWith(known: Readonly<Record<string, Readonly<Record<string, string>>>>, publicationsMax = 9) {
  const sent: string[] = [];
  const registry: Registry = {
    versions: async (name) => (known[name] === undefined ? undefined : new Map(Object.entries(known[name]))),
    publish: async (file) => {
      if (sent.length === publicationsMax) throw new Error('the network is gone');
      sent.push(basename(file));
    },
  };
  return { registry, sent };
}

async function publish(registry: Registry, first = false) {
  const told: string[] = [];
  await publishPackages(files, registry, { first, tell: (line) => told.push(line) });
  return told;
}

const older = Object.fromEntries(packageNames.map((name) => [name, { '0.1.0': 'sha512-old' }]));
const integrity = (at: number) => files[at]?.integrity ?? '';

describe('a publication', () => {
  it('uploads libraries before their dependants', async () => {
    const { registry, sent } = registryWith(older);
    await publish(registry);
    expect(sent).toEqual([
      'holdfast-json-0.2.0.tgz',
      'holdfast-contract-0.2.0.tgz',
      'holdfast-client-0.2.0.tgz',
      'holdfast-0.2.0.tgz',
    ]);
  });

  it('continues halfway, and does nothing once complete', async () => {
    const half = { ...older, '@holdfast/json': { '0.2.0': integrity(0) }, '@holdfast/contract': { '0.2.0': integrity(1) } };
    const { registry, sent } = registryWith(half);
    expect(await publish(registry)).toEqual([
      '@holdfast/json@0.2.0 is there already, with the same content',
      '@holdfast/contract@0.2.0 is there already, with the same content',
      '@holdfast/client@0.2.0 published',
      'holdfast@0.2.0 published',
    ]);
    expect(sent).toHaveLength(2);
    const all = Object.fromEntries(files.map(({ package: name, integrity: same }) => [name, { '0.2.0': same }]));
    expect((await publish(registryWith(all).registry)).every((line) => line.includes('already'))).toBe(true);
  });

  it('uploads nothing if one version exists with different content', async () => {
    const { registry, sent } = registryWith({ ...older, holdfast: { '0.2.0': 'sha512-other' } });
    await expect(publish(registry)).rejects.toThrow('holdfast@0.2.0: there sha512-other, here sha512-');
    expect(sent).toEqual([]);
  });

  it('uploads nothing if a package does not exist yet, unless a person creates it', async () => {
    const { '@holdfast/client': _, ...without } = older;
    const { registry, sent } = registryWith(without);
    await expect(publish(registry)).rejects.toThrow('the registry has no @holdfast/client, and only a person');
    expect(sent).toEqual([]);
    await publish(registry, true);
    expect(sent).toHaveLength(4);
  });

  it("ends with the registry's fault, and keeps finished uploads", async () => {
    const { registry, sent } = registryWith(older, 1);
    await expect(publish(registry)).rejects.toThrow('the network is gone');
    expect(sent).toEqual(['holdfast-json-0.2.0.tgz']);
  });

  it('requires every package', () => {
    expect(() => packagesIn(folder, '0.3.0')).toThrow('there is no holdfast-json-0.3.0.tgz');
  });
});

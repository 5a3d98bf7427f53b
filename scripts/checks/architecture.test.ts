/** Compares the map, ARCHITECTURE.md, with the repository. */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesWithCaches, unlistedCaches } from './caches.ts';

const root = join(import.meta.dirname, '../..');
const server = 'packages/server/src';
const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
const quoted = [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);

/** The map's text about a bound, and the bound's file and code. */
const figures: readonly (readonly [words: string, file: string, code: string])[] = [
  ['the list `stages` in `http/pipeline.ts`', 'http/pipeline.ts', 'const stages:'],
  ['| 24 MB |', 'access/authenticate.ts', 'rememberedBytesMax = 20_000 * 1_200;'],
  ['| 27.5 MB |', 'access/project-cache.ts', 'bytesMax = 50_000 * 550;'],
  ['(`oauth/clients.ts`) | 20,000 |', 'oauth/clients.ts', 'rememberedBytesMax = 20_000 *'],
  ['| 20,000 hashes of tokens |', 'oauth/access-token.ts', 'rememberedMax = 20_000;'],
  ['| 32 Mi characters of states', 'storage/sqlite/store.ts', 'defaultCacheCharactersMax = 32 * 1024 * 1024;'],
  ['8 Mi of accounts and projects', 'storage/sqlite/record-cache.ts', 'resultCharactersMax = 8 * 1024 * 1024;'],
  ['public-state-reads.ts`) | 32 Mi characters |', 'storage/postgres/store.ts', 'CacheCharactersMax = 32 * 1024 * 1024;'],
  ['| 65,536 characters each |', 'http/routes/public-state.ts', 'keptReplyCharactersMax = 65_536;'],
  ['| 32 MiB, including the states', 'http/replies/record-reply.ts', 'gzippedBytesMax = 32 * 1024 * 1024;'],
  ['| 32 MiB, 16 MiB |', 'state/changes/kept-changes.ts', 'textBytesMax = 32 * 1024 * 1024;'],
  ['| 32 MiB, 16 MiB |', 'state/changes/kept-changes.ts', 'changeBytesMax = 16 * 1024 * 1024;'],
  ['| 100,000 names, and', 'limits/rate-limit.ts', 'defaultNamesMax = 100_000;'],
  ['| 5,000 of up to 256 characters |', 'http/router.ts', 'keptMatchesMax = 5_000;'],
  ['| 5,000 of up to 256 characters |', 'http/router.ts', 'keptPathCharactersMax = 256;'],
  [
    '200 providers, each with up to 256 KiB of metadata and of keys | after ten minutes',
    'identity/built-in/federation/federation.ts',
    'providersMax = 200;',
  ],
  [
    '200 providers, each with up to 256 KiB of metadata and of keys | after ten minutes',
    'identity/upstream-client.ts',
    'ageMillisecondsMax = 10 * 60_000;',
  ],
  ['one issuer;', 'identity/provider-keys.ts', 'ageMillisecondsMax = 10 * 60_000;'],
  ['| 10,000 writes or 128 Mi characters waiting |', 'storage/sqlite/writer/write-queue.ts', 'writesMax = 10_000;'],
  ['| 10,000 writes or 128 Mi', 'storage/sqlite/writer/write-queue.ts', 'charactersMax = 128 * 1024 * 1024;'],
  ['| 10,000 | after 5 s |', 'storage/postgres/state/guarded-writes.ts', 'nearMilliseconds = 5_000;'],
  ['| 200 brands |', 'login/document.ts', 'LRUCache<string, readonly [Palette, Palette]>({ max: 200 })'],
  ['access changes every 300 ms', 'storage/postgres/management/access-changes.ts', 'pollMilliseconds = 300;'],
  ['four times a second', 'state/changes/source.ts', 'sharedPublic: 250'],
];

describe('ARCHITECTURE.md', () => {
  it.each(figures)('says "%s" of %s like the source', (words, file, code) => {
    expect(text.replaceAll('\n', ' ')).toContain(words);
    expect(readFileSync(join(root, server, file), 'utf8')).toContain(code);
  });

  it('names every file with a cache', () => {
    expect(filesWithCaches(root).length).toBeGreaterThan(15);
    expect(unlistedCaches(root)).toEqual([]);
    expect(unlistedCaches(root, ['limits/rate-limit.ts', 'limits/other.ts'])).toEqual(['limits/other.ts']);
  });

  it('names files and folders that exist', () => {
    const named = quoted.filter((code) => /^[\w.-]+(?:\/[\w.{},-]*)+$|^[\w-]+\.ts$/.test(code));
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((path) => !['', server].some((folder) => existsSync(join(root, folder, path))))).toEqual([]);
  });

  it('names every room of the service and every package', () => {
    const folders = (path: string) =>
      readdirSync(join(root, path), { withFileTypes: true }).filter((each) => each.isDirectory());
    const rooms = folders(server).map(({ name }) => `${name}/`);
    const packages = globSync('packages/*/package.json', { cwd: root }).map((path) => dirname(path).replaceAll('\\', '/'));
    expect(packages.length).toBeGreaterThan(2);
    const missing = [...rooms, ...packages].filter((room) => !quoted.includes(room) && !quoted.includes(`${room}/src`));
    expect(missing).toEqual([]);
  });
});

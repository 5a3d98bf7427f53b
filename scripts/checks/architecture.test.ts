/** Compares the map, ARCHITECTURE.md, with the repository. */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const server = 'packages/server/src';
const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
const quoted = [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);

describe('ARCHITECTURE.md', () => {
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

import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TestProjectInlineConfiguration, ViteUserConfigFnObject } from 'vitest/config';
import config from '../../vitest.config.ts';

/** Returns the names of all files of a mode, each with its project. */
function filesOf(mode: string): string[] {
  const { projects = [] } = (config as ViteUserConfigFnObject)({ mode, command: 'serve' }).test ?? {};
  return projects.flatMap((project) => {
    const { name, include = [], exclude = [] } = (project as TestProjectInlineConfiguration).test ?? {};
    return globSync(include, { cwd: join(import.meta.dirname, '../..'), exclude }).map((file) => `${name} ${file}`);
  });
}

test('npm test and npm run test:rest together run all tests, with no file in both', () => {
  const [quick = [], rest = [], all = []] = ['quick', 'rest', 'all'].map(filesOf);
  expect(quick.length).toBeGreaterThan(300);
  expect(rest.length).toBeGreaterThan(50);
  expect([...quick, ...rest].sort()).toEqual(all.sort());
});

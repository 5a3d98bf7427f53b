import { describe, expect, it } from 'vitest';
import { namedVersions, programVersion } from './set-version.ts';

describe("the program's version", () => {
  it('is the same everywhere', () => {
    const named = namedVersions();
    const files = new Set(named.map(({ path }) => path.split(' ')[0]));
    expect(files.size).toBeGreaterThanOrEqual(6);
    expect(named.filter(({ version }) => version !== programVersion())).toEqual([]);
  });
});

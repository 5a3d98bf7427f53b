import { describe, expect, it } from 'vitest';
import { namedVersions, programVersion } from './set-version.ts';

describe('the version of the program', () => {
  it('is the same wherever it is named', () => {
    const named = namedVersions();
    const files = new Set(named.map(({ path }) => path.split(' ')[0]));
    expect(files.size).toBeGreaterThanOrEqual(6);
    expect(named.filter(({ version }) => version !== programVersion())).toEqual([]);
  });
});

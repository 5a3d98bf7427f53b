import { describe, expect, test } from 'vitest';
import { connectionsWithin } from './open-files.ts';

describe('an open-file limit', () => {
  test.each([
    [65_536, 8_192, 8_192],
    [Number.POSITIVE_INFINITY, 8_192, 8_192],
    [4_096, 8_192, 3_584],
    [544, 8_192, 32],
    [516, 4, 4],
  ])('of %d files leaves, for a setting of %d, %d connections', (files, setting, left) => {
    expect(connectionsWithin(files, setting)).toBe(left);
  });

  test.each([
    [543, 8_192, '544 in all'],
    [512, 8_192, '544 in all'],
    [64, 8_192, '544 in all'],
    [515, 4, '516 in all'],
  ])('of %d files is too low for a setting of %d', (files, setting, needed) => {
    const start = () => connectionsWithin(files, setting);
    expect(start).toThrow(`cannot start with a limit of ${files} open files`);
    expect(start).toThrow(needed);
    expect(start).toThrow('raise the limit where the service is started');
  });
});

import { expect, test } from 'vitest';
import { missingRoom, requireRoom } from './room.ts';

test('a disk with too little room is reported with the missing amount', () => {
  const room = { copyBytes: 100, logBytes: 50, freeBytes: 149 };
  expect(missingRoom({ ...room, freeBytes: 150 })).toBeUndefined();
  expect(() => requireRoom('/data', room)).toThrow(
    'cannot upgrade the database in /data: its copy takes 100 bytes, its log and its growth take up to 50, and 149 are free; make room, or make a backup elsewhere and set SVC_UPGRADE_COPY=off',
  );
  expect(() => requireRoom('/data', { copyBytes: 0, logBytes: 50, freeBytes: 49 })).toThrow(
    /50, and 49 are free; make room$/,
  );
});

import { expect, it } from 'vitest';
import { createSealer } from '../../access/secrets.ts';
import { deviceTokenWith, readDevice } from './device-token.ts';

const seals = createSealer(Buffer.alloc(32, 1), 'device');
const nobody = { deviceId: expect.any(String), userIds: [] };

it('a device is remembered with its users, the last one first, each once', () => {
  const device = readDevice(seals, undefined);
  expect(device).toEqual(nobody);
  const one = deviceTokenWith(seals, device, 'usr_1');
  const two = deviceTokenWith(seals, readDevice(seals, one), 'usr_2');
  const again = deviceTokenWith(seals, readDevice(seals, two), 'usr_1');
  expect(readDevice(seals, again)).toEqual({ deviceId: device.deviceId, userIds: ['usr_1', 'usr_2'] });
  expect(again).not.toContain('usr_');
  expect(Buffer.from(again, 'base64url').toString('latin1')).not.toContain('usr_');
});

it('the users of a device are 20 at most, which fits a cookie', () => {
  let token: string | undefined;
  for (let i = 0; i < 30; i++) token = deviceTokenWith(seals, readDevice(seals, token), `usr_${'x'.repeat(20)}${i}`);
  const { userIds } = readDevice(seals, token);
  expect(userIds).toHaveLength(20);
  expect(userIds[0]).toMatch(/29$/);
  expect(token?.length).toBeLessThan(1_200);
});

it('what is no token of this service is a new device', () => {
  const token = deviceTokenWith(seals, readDevice(seals, undefined), 'usr_1');
  const foreign = deviceTokenWith(createSealer(Buffer.alloc(32, 2), 'device'), readDevice(seals, undefined), 'usr_1');
  const otherPurpose = deviceTokenWith(createSealer(Buffer.alloc(32, 1), 'other'), readDevice(seals, undefined), 'usr_1');
  for (const text of ['', 'x', token.slice(1), `${token.slice(0, -2)}AA`, foreign, otherPurpose, 'A'.repeat(9_999)]) {
    expect(readDevice(seals, text)).toEqual(nobody);
  }
  expect(readDevice(seals, '').deviceId).not.toBe(readDevice(seals, '').deviceId);
});

import { expect, it } from 'vitest';
import { altered } from '../../secrets/altered.fixture.ts';
import { createSealer } from '../../secrets/sealer.ts';
import { deviceSeconds, deviceTokenWith, isKnownTo, readDevice } from './device-token.ts';

const seals = createSealer(Buffer.alloc(32, 1), 'device');
const nobody = { deviceId: expect.any(String), users: [] };
const nowMs = Date.UTC(2026, 0, 1);
const newDevice = () => readDevice(seals, undefined);

it('a device is stored with its users and their sign-in times, the last one first, each once', () => {
  const device = newDevice();
  expect(device).toEqual(nobody);
  const one = deviceTokenWith(seals, device, 'usr_1', 1);
  const two = deviceTokenWith(seals, readDevice(seals, one), 'usr_2', 2);
  const again = deviceTokenWith(seals, readDevice(seals, two), 'usr_1', 3);
  const users = [
    ['usr_1', 3],
    ['usr_2', 2],
  ];
  expect(readDevice(seals, again)).toEqual({ deviceId: device.deviceId, users });
  expect(again).not.toContain('usr_');
  expect(Buffer.from(again, 'base64url').toString('latin1')).not.toContain('usr_');
});

it('a device has at most 20 users, which fits a cookie', () => {
  let token: string | undefined;
  for (let i = 0; i < 30; i++) {
    token = deviceTokenWith(seals, readDevice(seals, token), `usr_${'x'.repeat(20)}${String(i).padStart(2, '0')}`, nowMs);
  }
  const { users } = readDevice(seals, token);
  expect(users).toHaveLength(20);
  expect(users[0]?.[0]).toMatch(/29$/);
  expect(token?.length).toBeLessThan(1_400);
});

it('an invalid token is a new device', () => {
  const token = deviceTokenWith(seals, newDevice(), 'usr_1', nowMs);
  const foreign = deviceTokenWith(createSealer(Buffer.alloc(32, 2), 'device'), newDevice(), 'usr_1', nowMs);
  const otherPurpose = deviceTokenWith(createSealer(Buffer.alloc(32, 1), 'other'), newDevice(), 'usr_1', nowMs);
  for (const text of ['', 'x', token.slice(1), altered(token), foreign, otherPurpose, 'A'.repeat(9_999)]) {
    expect(readDevice(seals, text)).toEqual(nobody);
  }
  expect(readDevice(seals, '').deviceId).not.toBe(readDevice(seals, '').deviceId);
});

it('a device knows a user for a year after each sign-in', () => {
  const user = { userId: 'usr_1', resetAt: null };
  const device = readDevice(seals, deviceTokenWith(seals, newDevice(), 'usr_1', nowMs));
  const later = readDevice(seals, deviceTokenWith(seals, device, 'usr_2', nowMs + 5_000));
  const yearMs = deviceSeconds * 1000;
  for (const each of [device, later]) {
    expect(isKnownTo(each, user, nowMs + yearMs)).toBe(true);
    expect(isKnownTo(each, user, nowMs + yearMs + 1)).toBe(false);
  }
  expect(isKnownTo(later, { userId: 'usr_2', resetAt: null }, nowMs + yearMs + 1)).toBe(true);
  expect(isKnownTo(device, { userId: 'usr_2', resetAt: null }, nowMs)).toBe(false);
});

it('a device forgets a user who signed in before a reset, but not the one who reset', () => {
  const device = readDevice(seals, deviceTokenWith(seals, newDevice(), 'usr_1', nowMs));
  expect(isKnownTo(device, { userId: 'usr_1', resetAt: nowMs - 1 }, nowMs)).toBe(true);
  expect(isKnownTo(device, { userId: 'usr_1', resetAt: nowMs }, nowMs)).toBe(true);
  expect(isKnownTo(device, { userId: 'usr_1', resetAt: nowMs + 1 }, nowMs + 2)).toBe(false);
});

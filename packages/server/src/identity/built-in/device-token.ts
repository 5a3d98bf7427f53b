/** Device tokens record which users have signed in from a browser before. They are sealed, so only this service can make them. */

import { randomIdentifier } from '../../common/ids/base62.ts';
import type { Sealer } from '../../common/secrets/sealer.ts';
import { daySeconds } from '../../common/time/durations.ts';
import type { User } from '../../storage/contract/identity.ts';

/** A user, and when that user last signed in from the device. */
type Known = readonly [userId: string, signedInAt: number];

export interface Device {
  readonly deviceId: string;
  /** Newest first. */
  readonly users: readonly Known[];
}

/** How long a sign-in is remembered, and how long the cookie is kept. */
export const deviceSeconds = 365 * daySeconds;
/** 20 users make a cookie of about 1,300 characters. */
const usersMax = 20;
const tokenCharactersMax = 2_000;
const recordId = 'device';

/** Returns the device of a token, or a new one if the token is missing or invalid. */
export function readDevice(sealer: Sealer, token: string | undefined): Device {
  const unknown = () => ({ deviceId: randomIdentifier(), users: [] });
  if (token === undefined || token.length > tokenCharactersMax) return unknown();
  try {
    const text = Buffer.from(sealer.open(Buffer.from(token, 'base64url'), recordId)).toString();
    const [deviceId, ...users] = JSON.parse(text) as [string, ...Known[]];
    return { deviceId, users };
  } catch {
    return unknown();
  }
}

/** Whether a user has signed in from the device within a year and has not reset the password since. */
export function isKnownTo(device: Device, { userId, resetAt }: Pick<User, 'userId' | 'resetAt'>, now: number): boolean {
  const since = Math.max(resetAt ?? 0, now - deviceSeconds * 1000);
  return device.users.some(([known, signedInAt]) => known === userId && signedInAt >= since);
}

/** Returns the token of a device from which a user has just signed in. */
export function deviceTokenWith(sealer: Sealer, device: Device, userId: string, now: number): string {
  const users = [[userId, now] as const, ...device.users.filter(([each]) => each !== userId)].slice(0, usersMax);
  const text = JSON.stringify([device.deviceId, ...users]);
  return Buffer.from(sealer.seal(Buffer.from(text), recordId)).toString('base64url');
}

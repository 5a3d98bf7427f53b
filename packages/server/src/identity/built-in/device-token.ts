/** Device tokens: which users have signed in from a browser before, sealed, so that only this service can say so. */
import { randomIdentifier } from '../../access/base62.ts';

/** Encrypts and decrypts for one purpose. */
export interface Seals {
  seal(plain: Uint8Array, recordId: string): Uint8Array;
  /** Throws when the value was changed, or sealed for something else. */
  open(sealed: Uint8Array, recordId: string): Uint8Array;
}

export interface Device {
  readonly deviceId: string;
  /** Newest first. */
  readonly userIds: readonly string[];
}

/** 20 user ids make a cookie of about 800 characters. */
const usersMax = 20;
const tokenCharactersMax = 2_000;
const recordId = 'device';

/** Returns the device of a token, or a new one when there is no token or none that holds. */
export function readDevice(seals: Seals, token: string | undefined): Device {
  const unknown = () => ({ deviceId: randomIdentifier(), userIds: [] });
  if (token === undefined || token.length > tokenCharactersMax) return unknown();
  try {
    const text = Buffer.from(seals.open(Buffer.from(token, 'base64url'), recordId)).toString();
    const [deviceId, ...userIds] = JSON.parse(text) as [string, ...string[]];
    return { deviceId, userIds };
  } catch {
    return unknown();
  }
}

/** Returns the token of a device from which a user has just signed in. */
export function deviceTokenWith(seals: Seals, device: Device, userId: string): string {
  const userIds = [userId, ...device.userIds.filter((each) => each !== userId)].slice(0, usersMax);
  const text = JSON.stringify([device.deviceId, ...userIds]);
  return Buffer.from(seals.seal(Buffer.from(text), recordId)).toString('base64url');
}

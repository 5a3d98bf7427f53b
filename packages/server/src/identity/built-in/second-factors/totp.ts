/**
 * One-time codes of an authenticator app, with the defaults of all apps: SHA-1, six digits, 30 seconds.
 *
 * @see RFC 6238, RFC 4226 §5.3
 */
import { randomBytes } from 'node:crypto';
import type { TOTP } from 'otpauth';

/** @see RFC 4226 §4, R6 */
const secretBytes = 20;
const periodSeconds = 30;
/** Clocks may be off by one step, and people are slow. */
const stepsAround = 1;

export const newTotpSecret = (): Uint8Array => Uint8Array.from(randomBytes(secretBytes));

export interface TotpLabel {
  /** Shown by the app above the code: issuer and user. */
  readonly issuer: string;
  readonly name: string;
}

/** The values that a person enters into an app. */
export interface TotpEnrolment {
  /** `otpauth:` URI with the secret, for a QR code. */
  readonly uri: string;
  /** The secret in base 32, in groups of four. */
  readonly text: string;
}

/** The library is loaded for the first code. */
async function totpOf(secret: Uint8Array, { issuer, name }: TotpLabel = { issuer: '', name: '' }): Promise<TOTP> {
  const { Secret, TOTP: Totp } = await import('otpauth');
  const buffer = Uint8Array.from(secret).buffer;
  return new Totp({ issuer, label: name, secret: new Secret({ buffer }), digits: 6, period: periodSeconds });
}

/** Returns the values that an app needs to make the codes of a secret. */
export async function enrolApp(secret: Uint8Array, label: TotpLabel): Promise<TotpEnrolment> {
  const totp = await totpOf(secret, label);
  return { uri: totp.toString(), text: (totp.secret.base32.match(/.{1,4}/g) ?? []).join(' ') };
}

/** Returns the time step of a code, among those around `now`; undefined if it fits none. Takes the same time for any code. */
export async function stepOfCode(secret: Uint8Array, code: string, now: number): Promise<number | undefined> {
  const delta = (await totpOf(secret)).validate({ token: code, timestamp: now, window: stepsAround });
  return delta === null ? undefined : Math.floor(now / 1000 / periodSeconds) + delta;
}

/**
 * Nonces that guests sign: the time of issue, with a MAC. Nothing is stored, and every node of an installation accepts all nodes' nonces.
 * Since they date an assertion, the device's clock does not matter.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { authNonceSeconds } from '@holdfast/contract';

const macBytes = 16;
const timeBytes = 6;
/** 22 bytes in base64url. */
const noncePattern = /^[A-Za-z0-9_-]{29}[AQgw]$/;

/** The largest allowed difference between the clocks of two nodes. */
const clocksApartMilliseconds = 60_000;

export interface GuestNonces {
  /** Returns the current second's nonce. */
  current(): string;
  /** Returns a nonce's time of issue in milliseconds since the epoch; undefined if it is invalid or expired. */
  issuedAt(nonce: string): number | undefined;
}

/** The time, in milliseconds since the epoch, after which no node accepts a nonce issued at `issuedAt`, whatever its clock. */
export const endOfNonce = (issuedAt: number): number => issuedAt + authNonceSeconds * 1000 + 2 * clocksApartMilliseconds;

/** Returns an installation's nonces; `secretKeys` have 32 bytes each. The first key makes nonces; nonces of any key are accepted. */
export function createGuestNonces(secretKeys: readonly Uint8Array[], now: () => number): GuestNonces {
  const makers = secretKeys.map((secretKey) => {
    const macKey = Buffer.from(hkdfSync('sha256', secretKey, '', 'holdfast guest nonce', 32));
    return (time: Uint8Array) => createHmac('sha256', macKey).update(time).digest().subarray(0, macBytes);
  });
  const macOf = makers[0] as (typeof makers)[number];
  /** All responses within a second share a nonce, so most need no computation. */
  let newest: { readonly seconds: number; readonly nonce: string } | undefined;

  return {
    current() {
      const seconds = Math.floor(now() / 1000);
      if (newest?.seconds !== seconds) {
        const time = Buffer.alloc(timeBytes);
        time.writeUIntBE(seconds, 0, timeBytes);
        newest = { seconds, nonce: Buffer.concat([time, macOf(time)]).toString('base64url') };
      }
      return newest.nonce;
    },
    issuedAt(nonce) {
      if (!noncePattern.test(nonce)) return undefined;
      const bytes = Buffer.from(nonce, 'base64url');
      const time = bytes.subarray(0, timeBytes);
      if (!makers.some((make) => timingSafeEqual(bytes.subarray(timeBytes), make(time)))) return undefined;
      const issuedAt = time.readUIntBE(0, timeBytes) * 1000;
      const age = now() - issuedAt;
      return age >= -clocksApartMilliseconds && age <= authNonceSeconds * 1000 ? issuedAt : undefined;
    },
  };
}

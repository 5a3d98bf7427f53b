/**
 * The checksum at the end of secrets that people copy: 6 base-62 digits of the CRC-32 of everything before them. A mistyped or shortened
 * secret is thus refused without a look-up, and a leaked one can be recognised.
 */
import { crc32 } from 'node:zlib';
import { base62 } from '../ids/base62.ts';

const checksumLength = 6;

/** 62^6 is above 2^32, so six digits hold every checksum. */
const checksum = (body: string): string => base62(BigInt(crc32(body)), checksumLength);

/** Returns the text followed by its checksum. */
export const withChecksum = (body: string): string => body + checksum(body);

/** Whether the last digits of a text are the checksum of the others. */
export const hasChecksum = (text: string): boolean =>
  text.slice(-checksumLength) === checksum(text.slice(0, -checksumLength));

/**
 * The check sum at the end of secrets that people copy: 6 base-62 digits of the CRC-32 of all that precedes. A mistyped or shortened one
 * is so refused without a look-up, and a leaked one can be recognised.
 */
import { crc32 } from 'node:zlib';
import { base62 } from './base62.ts';

export const checkSumLength = 6;

/** 62^6 is above 2^32, so six digits hold every check sum. */
const checkSum = (body: string): string => base62(BigInt(crc32(body)), checkSumLength);

/** Returns the text with its check sum behind it. */
export const withCheckSum = (body: string): string => body + checkSum(body);

/** Whether the last digits of a text are the check sum of the others. */
export const hasCheckSum = (text: string): boolean =>
  text.slice(-checkSumLength) === checkSum(text.slice(0, -checkSumLength));

/** The marks that a token family keeps of its exchanges with a key, and which exchanges can be repeated. */
import { timingSafeEqual } from 'node:crypto';
import { exchangeMarkBytes, exchangeMarksMax, type RepeatableExchange } from '../../contract/sign-ins.ts';

/** Whether a mark is in a row. */
export function hasMark(marks: Uint8Array | null, mark: Uint8Array): boolean {
  for (let at = 0; marks !== null && at < marks.length; at += exchangeMarkBytes) {
    if (Buffer.compare(marks.subarray(at, at + exchangeMarkBytes), mark) === 0) return true;
  }
  return false;
}

/**
 * Whether a marked exchange can be repeated with the family's current token: the token came from that exchange and has not been presented
 * since. Compared in constant time.
 */
export function canRepeat(
  current: { readonly secretHash: Uint8Array; readonly replacedAt: number },
  secretHash: Uint8Array,
  { notBefore }: RepeatableExchange,
): boolean {
  return timingSafeEqual(current.secretHash, secretHash) && current.replacedAt >= notBefore;
}

/** Returns the marks of a row with a new one added. */
export function newestMarks(mark: Uint8Array, marks: Uint8Array | null): Uint8Array {
  return Buffer.concat([mark, ...(marks === null ? [] : [marks])]).subarray(0, exchangeMarksMax * exchangeMarkBytes);
}

/** The lines of a file of user states: `{"endUserId": …, "environment": …, "state": {…}}`, one per line. */
import { createReadStream } from 'node:fs';
import { environments, guestIdPrefix, playerIdCharactersMax, stateCharactersMax } from '@holdfast/contract';
import { isSubject } from '../../common/ids/player-id.ts';
import { evaluate } from '../../state/evaluation/evaluate-body.ts';
import type { UserStateKey } from '../../storage/contract/user-states.ts';

/** A user state in a file. */
export interface UserStateLine extends Pick<UserStateKey, 'playerId' | 'environment'> {
  readonly number: number;
  /** Compact JSON text, numbers to the last digit. */
  readonly stateText: string;
}

/** An invalid line, and what is wrong with it. */
export interface LineFault {
  readonly number: number;
  readonly message: string;
}

/** Maximum bytes of a line: the largest state with everything escaped, and an id. */
const lineBytesMax = 2_097_152;
const newline = 0x0a;

interface RawLine {
  readonly number: number;
  /** Undefined if it is too long. */
  readonly bytes: Uint8Array | undefined;
}

const mark = Buffer.from('\ufeff');
const utf16Marks = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];

/** Returns the start of a file without a byte order mark. Throws an `Error` for UTF-16. */
function withoutMark(piece: Buffer): Buffer {
  if (utf16Marks.some((each) => piece.subarray(0, each.length).equals(each))) {
    throw new Error('the file is UTF-16: save it as UTF-8');
  }
  return piece.subarray(0, mark.length).equals(mark) ? piece.subarray(mark.length) : piece;
}

/** Yields the lines of a file. Memory holds one chunk and one line. */
async function* rawLines(path: string): AsyncGenerator<RawLine, void, undefined> {
  let number = 1;
  let parts: Buffer[] = [];
  let bytes = 0;
  const take = (part: Buffer) => {
    bytes += part.length;
    if (bytes <= lineBytesMax) parts.push(part);
    else parts = [];
  };
  const line = (): RawLine => ({ number, bytes: bytes > lineBytesMax ? undefined : Buffer.concat(parts) });
  let isFirst = true;
  for await (const chunk of createReadStream(path)) {
    const piece: Buffer = isFirst ? withoutMark(chunk) : chunk;
    isFirst = false;
    let from = 0;
    for (let at = piece.indexOf(newline); at !== -1; at = piece.indexOf(newline, from)) {
      take(piece.subarray(from, at));
      yield line();
      number += 1;
      parts = [];
      bytes = 0;
      from = at + 1;
    }
    if (from < piece.length) take(piece.subarray(from));
  }
  if (bytes > 0) yield line();
}

/** Yields each user state of a file, or the fault of its line. Empty lines are skipped. Rejects if the file cannot be read. */
export async function* readUserStateLines(path: string): AsyncGenerator<UserStateLine | LineFault, void, undefined> {
  for await (const { number, bytes } of rawLines(path)) {
    if (bytes === undefined) yield { number, message: `the line has more than ${lineBytesMax} bytes` };
    else if (Buffer.from(bytes).toString('latin1').trim() !== '') yield { number, ...readLine(bytes) };
  }
}

function readLine(bytes: Uint8Array): Omit<UserStateLine, 'number'> | Omit<LineFault, 'number'> {
  const evaluation = evaluate({ kind: 'replacement', body: bytes });
  if (evaluation.kind === 'refused') return { message: evaluation.message };
  if (evaluation.kind === 'too_large') {
    return { message: `the state takes ${evaluation.characters} characters; at most ${stateCharactersMax} are stored` };
  }
  if (evaluation.kind !== 'state') return { message: 'the line holds no state' };
  const { endUserId: playerId, environment: named }: { endUserId?: unknown; environment?: unknown } = JSON.parse(
    Buffer.from(bytes).toString(),
  );
  if (typeof playerId !== 'string' || !isSubject(playerId)) {
    return {
      message: `"/endUserId" must be 1 to ${playerIdCharactersMax} characters, without spaces around them and control characters`,
    };
  }
  if (playerId.startsWith(guestIdPrefix)) {
    return { message: `"/endUserId" begins with "${guestIdPrefix}", as only the ids of guests do` };
  }
  const environment = environments.find((each) => each === named);
  if (environment === undefined) return { message: `"/environment" must be one of ${environments.join(', ')}` };
  return { playerId, environment, stateText: evaluation.stateText };
}

/** Where and why a text stops being JSON. */
export interface SyntaxFault {
  /** Offset in UTF-16 code units. */
  readonly position: number;
  /** One phrase that quotes nothing of the text. */
  readonly reason: string;
}

type Expected = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'separator' | 'nothing';

const whitespace = /[ \t\n\r]*/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const word = /true|false|null/y;
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/**
 * Finds the first offset from which the text cannot be continued as JSON, for the message of a refusal only: the runtime's parser decides
 * what is JSON, but quotes the text in its messages. Returns `undefined` if the text is JSON.
 */
export function findSyntaxFault(text: string): SyntaxFault | undefined {
  if (text.startsWith('\ufeff')) return { position: 0, reason: 'the text begins with a byte order mark' };
  const open: boolean[] = []; // one entry per open container: true for an object
  let expected: Expected = 'value';
  let at = 0;
  for (;;) {
    at = endOfMatch(whitespace, text, at);
    if (at === text.length) {
      return expected === 'nothing' ? undefined : { position: at, reason: 'the text ends too early' };
    }
    const unit = text.charAt(at);
    const inObject = open.at(-1) === true;
    const start = at;
    if ((unit === '{' || unit === '[') && expected.startsWith('value')) {
      open.push(unit === '{');
      expected = unit === '{' ? 'name or end' : 'value or end';
      at++;
    } else if (closes(unit, expected, open)) {
      open.pop();
      expected = open.length === 0 ? 'nothing' : 'separator';
      at++;
    } else if (unit === ',' && expected === 'separator') {
      expected = inObject ? 'name' : 'value';
      at++;
    } else if (unit === ':' && expected === 'colon') {
      expected = 'value';
      at++;
    } else if (unit === '"' && (expected.startsWith('value') || expected.startsWith('name'))) {
      const end = endOfStrictString(text, at);
      if (typeof end !== 'number') return end;
      at = end;
      expected = expected.startsWith('name') ? 'colon' : open.length === 0 ? 'nothing' : 'separator';
    } else if (expected.startsWith('value')) {
      at = Math.max(endOfMatch(number, text, at), endOfMatch(word, text, at));
      expected = open.length === 0 ? 'nothing' : 'separator';
    }
    if (at === start) return { position: at, reason: 'unexpected character' };
  }
}

function closes(unit: string, expected: Expected, open: readonly boolean[]): boolean {
  if (open.length === 0) return false;
  if (unit === '}') return open.at(-1) === true && (expected === 'separator' || expected === 'name or end');
  return unit === ']' && open.at(-1) === false && (expected === 'separator' || expected === 'value or end');
}

function endOfStrictString(text: string, start: number): number | SyntaxFault {
  let at = start + 1;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (unit === 0x22) return at + 1;
    if (unit < 0x20) return { position: at, reason: 'unescaped control character in a string' };
    if (unit === 0x5c) {
      const end = endOfMatch(escaped, text, at);
      if (end === at) return { position: at, reason: 'invalid escape in a string' };
      at = end;
    } else {
      at++;
    }
  }
  return { position: start, reason: 'the string does not end' };
}

function endOfMatch(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

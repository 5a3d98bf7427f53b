/** Explains why a text is not JSON, in terms of what was typed. */
import type { JsonFaultTexts } from '../texts/json-faults-en.ts';
import { plain } from '../ui/plain-text.ts';

type JsonFaultKind =
  | 'empty'
  | 'unclosed'
  | 'commaAfterLine'
  | 'commaInLine'
  | 'colon'
  | 'value'
  | 'extraComma'
  | 'quote'
  | 'escape'
  | 'control'
  | 'singleQuotes'
  | 'bareName'
  | 'word'
  | 'number'
  | 'comment'
  | 'closer'
  | 'rest'
  | 'unexpected'
  | 'depth'
  | 'notObject';

export interface JsonFault {
  readonly kind: JsonFaultKind;
  /** From 1. */
  readonly line: number;
  /** The fault there, if it can be named. */
  readonly text: string;
  /** Where it can be mended, if that is not where the text cannot be continued. */
  readonly at?: number;
}

/** Describes it in a sentence. */
export const faultSentenceIn = (texts: JsonFaultTexts, { kind, line, text }: JsonFault): string =>
  texts[kind](line, plain(text));

/** A string, a punctuation mark, or anything else up to the next of these. */
const token = /"(?:[^"\\\n]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
const shownCharactersMax = 24;

/** The context of a fault. */
interface Before {
  /** The open brackets and their positions. */
  readonly open: readonly { readonly bracket: string; readonly at: number }[];
  /** The last token; empty at the beginning. */
  readonly last: string;
  readonly lastAt: number;
  /** Whether it is a member's name. */
  readonly isName: boolean;
}

/** Names the fault of a text that cannot be continued as JSON from `position` on. */
export function faultOf(text: string, position: number): JsonFault {
  const before = readBefore(text, position);
  const fault = (kind: JsonFaultKind, at: number, named = ''): JsonFault => ({
    kind,
    line: lineAt(text, at),
    text: named.slice(0, shownCharactersMax),
    // An open bracket may be far above what was typed.
    ...(at !== position && kind !== 'unclosed' && { at }),
  });
  const next = text.charAt(position);
  const inner = before.open.at(-1);
  if (next === '') {
    return inner === undefined ? fault('empty', position) : fault('unclosed', inner.at, inner.bracket);
  }
  const inText = faultInText(text, position);
  if (inText !== undefined) return fault(inText, position);
  const word = /^[^\s{}[\],:"]+/.exec(text.slice(position, position + 200))?.[0] ?? next;
  if (/^(?:\/\/|\/\*|#)/.test(word)) return fault('comment', position);
  const isGlued = /[^\s{}[\],:"]/.test(text.charAt(position - 1)) && /[^\s{}[\],:"]/.test(next);
  if (isGlued) return fault(/^[-+.\d]/.test(before.last) ? 'number' : 'word', position, before.last + word);
  if (inner === undefined && before.last !== '') return fault('rest', position, word);
  if (before.last === ':' && /[,}\]]/.test(next)) return fault('value', before.lastAt);
  if (next === ',' || (before.last === ',' && /[}\]]/.test(next))) {
    return fault('extraComma', before.last === ',' ? before.lastAt : position);
  }
  if (/[}\]]/.test(next) && inner !== undefined && !before.isName) return fault('closer', position, next);
  if (before.isName) return fault('colon', before.lastAt, before.last);
  if (isEnd(before.last) && next !== ':') {
    const at = before.lastAt + before.last.length;
    const line = lineAt(text, at);
    const isSame = line === lineAt(text, position);
    return { kind: isSame ? 'commaInLine' : 'commaAfterLine', line, text: word.slice(0, shownCharactersMax), at };
  }
  if (next === "'") return fault('singleQuotes', position);
  const takesName = inner?.bracket === '{' && (before.last === '{' || before.last === ',');
  if (takesName && /[\p{L}_$\d]/u.test(next)) return fault('bareName', position, word);
  if (/[-+.\d]/.test(next)) return fault('number', position, word);
  return /[\p{L}_$]/u.test(next) ? fault('word', position, word) : fault('unexpected', position, word);
}

/** Returns the fault in a quoted string at this position; undefined for anything else. */
function faultInText(text: string, position: number): 'quote' | 'escape' | 'control' | undefined {
  const next = text.charAt(position);
  if (next === '"') {
    const rest = text.slice(position, position + 100_000);
    return /^"(?:[^"\\\n]|\\.)*"/.test(rest) ? undefined : 'quote';
  }
  if (next === '\\') return 'escape';
  if (next === '\n' || next === '\r') return 'quote';
  return next < ' ' ? 'control' : undefined;
}

const isEnd = (last: string) => /["}\]\w]$/.test(last);

function readBefore(text: string, position: number): Before {
  const open: { bracket: string; at: number }[] = [];
  let [last, lastAt, beforeLast] = ['', 0, ''];
  for (const { 0: found, index } of text.slice(0, position).matchAll(token)) {
    if (found === '{' || found === '[') open.push({ bracket: found, at: index });
    if (found === '}' || found === ']') open.pop();
    [beforeLast, last, lastAt] = [last, found, index];
  }
  const isName = open.at(-1)?.bracket === '{' && last.startsWith('"') && (beforeLast === '{' || beforeLast === ',');
  return { open, last, lastAt, isName };
}

/** Returns the line of an offset, from 1. */
export function lineAt(text: string, at: number): number {
  let line = 1;
  for (let end = text.indexOf('\n'); end !== -1 && end < at; end = text.indexOf('\n', end + 1)) line++;
  return line;
}

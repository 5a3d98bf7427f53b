/**
 * Compiles a tenant's regular expression to a pattern that takes linear time. The syntax is that of ECMA-262 with the flag `u`, except for
 * back references and lookaround, which cannot be linear. Large character classes take long to compile, so this runs on a worker thread.
 */
import { fill, patternFaultMessages } from '@holdfast/contract/messages';
import { RE2JS } from 're2js';
import { patternCharactersMax, patternInstructionsMax } from './bounds.ts';
import { assertions, opcodes, type Pattern } from './pattern.ts';

/** Why a string is not a usable pattern. */
export class PatternFault extends Error {
  override readonly name = 'PatternFault';
}

/** Compiles a regular expression. Throws `PatternFault`. */
export function compilePattern(source: string): Pattern {
  if (source.length > patternCharactersMax) {
    const sizes = { count: source.length, limit: patternCharactersMax };
    throw new PatternFault(fill(patternFaultMessages.characters, sizes));
  }
  const prog: Program = compiled(source).re2Input.prog;
  const instructions = prog.inst.length;
  if (instructions > patternInstructionsMax) {
    const sizes = { count: instructions, limit: patternInstructionsMax };
    throw new PatternFault(fill(patternFaultMessages.instructions, sizes));
  }
  return patternOf(prog);
}

/** The number of character classes with hundreds of ranges in a source. */
export const namedClassesIn = (source: string): number => source.match(/\\[pP]\{/g)?.length ?? 0;

function compiled(source: string): RE2JS {
  try {
    // The runtime's parser checks the syntax. The expression is neither compiled nor matched here.
    new RegExp(source, 'u');
  } catch {
    throw new PatternFault(patternFaultMessages.syntax);
  }
  try {
    return RE2JS.compile(RE2JS.translateRegExp(translated(source)));
  } catch {
    throw new PatternFault(patternFaultMessages.notLinear);
  }
}

/** The instructions of RE2, which the package leaves untyped. */
interface Program {
  readonly start: number;
  readonly inst: readonly Instruction[];
}
interface Instruction {
  readonly op: number;
  readonly out: number;
  readonly arg: number;
  readonly runes: Int32Array;
  matchRune(point: number): boolean;
}

/** Maps RE2's instruction numbers to our opcodes. */
const kinds: readonly number[] = [
  opcodes.fail,
  opcodes.fork, // alternatives
  opcodes.fork,
  opcodes.go, // the edge of a group
  opcodes.check,
  opcodes.fail,
  opcodes.match,
  opcodes.go,
  opcodes.take, // a class, a code point, any, any but the end of a line
  opcodes.take,
  opcodes.take,
  opcodes.take,
];
const [single, any, anyInLine] = [9, 10, 11];
const lastCodePoint = 0x10ffff;
/** Bit of an instruction that ignores case. */
const foldsCase = 1;

function patternOf({ inst, start }: Program): Pattern {
  const classes = new Map<string, { readonly ranges: Int32Array; readonly number: number }>();
  const classOf = (instruction: Instruction): number => {
    const ranges = rangesOf(instruction);
    const key = ranges.join();
    const known = classes.get(key) ?? { ranges, number: classes.size };
    classes.set(key, known);
    return known.number;
  };
  return {
    start,
    isAnchored: isAnchored(inst, start),
    opcodes: Uint8Array.from(inst, ({ op }) => kinds[op] ?? opcodes.fail),
    next: Int32Array.from(inst, ({ out }) => out),
    other: Int32Array.from(inst, (each) => (kinds[each.op] === opcodes.take ? classOf(each) : each.arg)),
    classes: [...classes.values()].map(({ ranges }) => ranges),
  };
}

/** Whether every match begins at the start of the string. */
function isAnchored(inst: readonly Instruction[], start: number): boolean {
  for (let at = inst[start]; at !== undefined; at = inst[at.out]) {
    const kind = kinds[at.op];
    if (kind === opcodes.check) return (at.arg & assertions.textStart) !== 0;
    if (kind !== opcodes.go) return false;
  }
  return false;
}

function rangesOf(instruction: Instruction): Int32Array {
  const { op, arg, runes } = instruction;
  if (op === any) return Int32Array.of(0, lastCodePoint);
  if (op === anyInLine) return Int32Array.of(0, 0x09, 0x0b, lastCodePoint);
  if (runes.length !== 1) return runes;
  const [only = 0] = runes;
  if (op === single || (arg & foldsCase) === 0) return Int32Array.of(only, only);
  const alike = withCase().filter((point) => instruction.matchRune(point));
  return Int32Array.from([...new Set([only, ...alike])].sort((a, b) => a - b).flatMap((point) => [point, point]));
}

let casedPoints: readonly number[] | undefined;
/** Code points that have another case. All of them are in the first two planes. */
function withCase(): readonly number[] {
  casedPoints ??= Array.from({ length: 0x20000 }, (_, point) => point).filter((point) =>
    /\p{Changes_When_Casemapped}|\p{Changes_When_Casefolded}/u.test(String.fromCodePoint(point)),
  );
  return casedPoints;
}

const space = String.raw`\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff`;
const lineEnds = String.raw`\n\r\u2028\u2029`;

/** Character class names in RE2: short names for general categories, and scripts without a prefix. */
const categories = new Map(
  `Letter L, Cased_Letter LC, Uppercase_Letter Lu, Lowercase_Letter Ll, Titlecase_Letter Lt, Modifier_Letter Lm, Other_Letter Lo, Mark M,
   Combining_Mark M, Nonspacing_Mark Mn, Spacing_Mark Mc, Enclosing_Mark Me, Number N, Decimal_Number Nd, digit Nd, Letter_Number Nl,
   Other_Number No, Punctuation P, punct P, Connector_Punctuation Pc, Dash_Punctuation Pd, Open_Punctuation Ps, Close_Punctuation Pe,
   Initial_Punctuation Pi, Final_Punctuation Pf, Other_Punctuation Po, Symbol S, Math_Symbol Sm, Currency_Symbol Sc, Modifier_Symbol Sk,
   Other_Symbol So, Separator Z, Space_Separator Zs, Line_Separator Zl, Paragraph_Separator Zp, Other C, Control Cc, cntrl Cc, Format Cf`
    .split(/,\s+/)
    .map((pair): [string, string] => [pair.split(' ')[0] ?? '', pair.split(' ')[1] ?? '']),
);

/** Translates an ECMA-262 regular expression to RE2 syntax where the two differ. */
function translated(source: string): string {
  const parts: string[] = [];
  let inClass = false;
  for (let at = 0; at < source.length; at++) {
    const unit = source.charAt(at);
    if (unit === '\\') {
      const [part, length] = readEscape(source, at, inClass);
      parts.push(part);
      at += length - 1;
    } else if (inClass) {
      inClass = unit !== ']';
      parts.push(unit === '[' ? String.raw`\[` : unit);
    } else {
      inClass = unit === '[';
      parts.push(unit === '.' ? `[^${lineEnds}]` : unit);
    }
  }
  return parts.join('');
}

/** An escape, and its length in the source. */
function readEscape(source: string, at: number, inClass: boolean): [string, number] {
  const kind = source.charAt(at + 1);
  if (kind === 's') return [inClass ? space : `[${space}]`, 2];
  if (kind === 'S' && !inClass) return [`[^${space}]`, 2];
  const name = /^\\[pP]\{([^}]*)\}/.exec(source.slice(at, at + 64));
  if (name === null) return [source.slice(at, at + 2), 2];
  const written = (name[1] ?? '').replace(/^(General_Category|gc|Script|sc|Script_Extensions|scx)=/, '');
  return [`\\${kind}{${categories.get(written) ?? written}}`, name[0].length];
}

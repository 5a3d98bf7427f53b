/**
 * Regular expressions of tenants, matched in time that is linear in the text: those of ECMA-262 with the flag `u`, but for back references
 * and looking around, which no linear way has.
 */
import { RE2JS } from 're2js';
import { patternCharactersMax, patternInstructionsMax } from './bounds.ts';
import type { Payer } from './equality.ts';

/** Why a text is no pattern that can be used. */
export class PatternFault extends Error {
  override readonly name = 'PatternFault';
}

/** What a character costs whatever the pattern, and of how many instructions one is a step. Measured: some 50 ns a step. */
const stepsOfCharacter = 4;
const instructionsOfStep = 64;

export class Pattern {
  readonly #compiled: RE2JS;
  readonly instructions: number;

  /** Throws `PatternFault`. */
  constructor(source: string) {
    if (source.length > patternCharactersMax) {
      throw new PatternFault(`the pattern has ${source.length} characters; at most ${patternCharactersMax} are allowed`);
    }
    this.#compiled = compiled(source);
    this.instructions = this.#compiled.programSize();
    if (this.instructions > patternInstructionsMax) {
      throw new PatternFault(
        `the pattern compiles to ${this.instructions} instructions; at most ${patternInstructionsMax} are allowed`,
      );
    }
  }

  /** Whether it matches somewhere in the text. Throws `BudgetSpent`. */
  isIn(text: string, payer: Payer): boolean {
    payer.spend(Math.ceil(text.length * (stepsOfCharacter + this.instructions / instructionsOfStep)));
    return this.#compiled.matcher(text).find();
  }
}

function compiled(source: string): RE2JS {
  try {
    // The runtime's own parser knows the syntax. It compiles nothing yet, and never sees a text.
    new RegExp(source, 'u');
  } catch {
    throw new PatternFault('the pattern is no regular expression of ECMA-262 with the flag "u"');
  }
  try {
    return RE2JS.compile(RE2JS.translateRegExp(translated(source)));
  } catch {
    throw new PatternFault(
      'the pattern uses what takes more than linear time or is unknown: back references, looking around, or a name of characters',
    );
  }
}

const space = String.raw`\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff`;
const lineEnds = String.raw`\n\r\u2028\u2029`;

/** Names of characters as RE2 has them: the short names of general categories, and scripts without a prefix. */
const categories = new Map(
  `Letter L, Cased_Letter LC, Uppercase_Letter Lu, Lowercase_Letter Ll, Titlecase_Letter Lt, Modifier_Letter Lm, Other_Letter Lo, Mark M,
   Combining_Mark M, Nonspacing_Mark Mn, Spacing_Mark Mc, Enclosing_Mark Me, Number N, Decimal_Number Nd, digit Nd, Letter_Number Nl,
   Other_Number No, Punctuation P, punct P, Connector_Punctuation Pc, Dash_Punctuation Pd, Open_Punctuation Ps, Close_Punctuation Pe,
   Initial_Punctuation Pi, Final_Punctuation Pf, Other_Punctuation Po, Symbol S, Math_Symbol Sm, Currency_Symbol Sc, Modifier_Symbol Sk,
   Other_Symbol So, Separator Z, Space_Separator Zs, Line_Separator Zl, Paragraph_Separator Zp, Other C, Control Cc, cntrl Cc, Format Cf`
    .split(/,\s+/)
    .map((pair): [string, string] => [pair.split(' ')[0] ?? '', pair.split(' ')[1] ?? '']),
);

/** The same in the syntax of RE2, where the two mean different things. The source is a regular expression of ECMA-262. */
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

/** An escape and how many characters it takes in the source. */
function readEscape(source: string, at: number, inClass: boolean): [string, number] {
  const kind = source.charAt(at + 1);
  if (kind === 's') return [inClass ? space : `[${space}]`, 2];
  if (kind === 'S' && !inClass) return [`[^${space}]`, 2];
  const name = /^\\[pP]\{([^}]*)\}/.exec(source.slice(at, at + 64));
  if (name === null) return [source.slice(at, at + 2), 2];
  const written = (name[1] ?? '').replace(/^(General_Category|gc|Script|sc|Script_Extensions|scx)=/, '');
  return [`\\${kind}{${categories.get(written) ?? written}}`, name[0].length];
}

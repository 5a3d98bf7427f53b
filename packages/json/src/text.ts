import { readExactly } from './exact-reader.ts';
import { doubleHolds } from './number.ts';
import { scanJson } from './scan.ts';
import { findSyntaxFault } from './syntax-fault.ts';
import { defaultNestingDepthMax, type JsonValue } from './value.ts';

/** A text that is refused: not JSON (`syntax`) or nested too deep (`depth`). The message quotes nothing of the text. */
export class JsonTextError extends Error {
  override readonly name = 'JsonTextError';
  readonly reason: 'syntax' | 'depth';
  /** Offset in the text, in UTF-16 code units. */
  readonly position: number;

  constructor(reason: 'syntax' | 'depth', position: number, message: string) {
    super(message);
    this.reason = reason;
    this.position = position;
  }
}

/**
 * The value of a JSON text, every number exact: where a double does not hold the decimal value of a literal, the literal
 * itself is kept and {@link printJson} writes it back digit for digit. Literals that a double holds are normalised (`1.0`
 * becomes `1`). Of duplicate member names the last one counts; every name, `__proto__` included, is an ordinary own member.
 *
 * The runtime's parser does the work alone wherever it is exact. It is not for the numbers above, and, in the runtime of this
 * writing, not for member names written with escapes: it may take `"\\n"` for the `"\\\\"` of an object that it has read before.
 *
 * @see https://github.com/nodejs/node/issues/63785
 * @throws {JsonTextError} `syntax` when the text is not JSON, `depth` when it is nested deeper than `nestingDepthMax`.
 */
export function parseJson(text: string, nestingDepthMax: number = defaultNestingDepthMax): JsonValue {
  const { tooDeepAt, suspects, escapedName } = scanJson(text, nestingDepthMax);
  if (tooDeepAt !== -1) {
    const message = `cannot parse JSON: nested deeper than ${nestingDepthMax} levels at position ${tooDeepAt}`;
    throw new JsonTextError('depth', tooDeepAt, message);
  }
  const inexact = suspects.length === 0 ? suspects : inexactOf(text, suspects);
  if (!escapedName && inexact.length === 0) return parseNatively(text);
  parseNatively(text); // what it makes of the text is given up, but now the text is known to be JSON
  return readExactly(text, inexact);
}

/** The compact JSON text of a value, raw numbers digit for digit. The value must not be nested deeper than 256 levels. */
export function printJson(value: JsonValue): string {
  return JSON.stringify(value);
}

function parseNatively(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    // The runtime's own message quotes the text.
    const { position, reason } = findSyntaxFault(text) ?? { position: 0, reason: 'malformed text' };
    throw new JsonTextError('syntax', position, `cannot parse JSON: ${reason} at position ${position}`);
  }
}

/** Those of the number literals, given as flat start and end offsets, that a double does not hold. */
function inexactOf(text: string, suspects: readonly number[]): number[] {
  const inexact: number[] = [];
  for (let i = 0; i < suspects.length; i += 2) {
    const start = suspects[i] as number;
    const end = suspects[i + 1] as number;
    if (!doubleHolds(text.slice(start, end))) inexact.push(start, end);
  }
  return inexact;
}

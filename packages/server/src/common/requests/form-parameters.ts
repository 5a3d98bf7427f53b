/** Parameters in a query or a form body. @see RFC 6749 §3.1, §3.2 and appendix B */
import { Refusal } from './refusal.ts';

/** No request needs a quarter of these, and reading 64 KiB of empty ones takes 20 ms. */
const parametersMax = 100;

/**
 * Returns the parameters in a form-encoded text. Refuses `validation_error` for too many, before reading any, and for a byte order mark.
 */
export function parseFormText(text: string): URLSearchParams {
  if (text.startsWith('\ufeff'))
    throw new Refusal('validation_error', 'the form begins with a byte order mark; send it without');
  let parameters = 1;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    if (++parameters > parametersMax) {
      throw new Refusal(
        'validation_error',
        `more than ${parametersMax} parameters were sent; send only those that are needed`,
      );
    }
  }
  return new URLSearchParams(text);
}

export interface Parameters {
  /** The value of a parameter; undefined if it is absent or empty, which mean the same. */
  get(name: string): string | undefined;
  /** Names that appear more than once, which is not allowed. `get` returns their first value. */
  readonly repeated: ReadonlySet<string>;
}

/** Returns the parameters in a form-encoded text. Refuses what `parseFormText` refuses. */
export function readParameters(form: string | URLSearchParams): Parameters {
  const values = new Map<string, string>();
  const repeated = new Set<string>();
  for (const [name, value] of typeof form === 'string' ? parseFormText(form) : form) {
    if (values.has(name)) repeated.add(name);
    else values.set(name, value);
  }
  return { get: (name) => values.get(name) || undefined, repeated };
}

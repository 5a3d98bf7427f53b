/** How errors are logged. */

const causesMax = 5;

export interface ErrorFields {
  readonly type: string;
  readonly message: string;
  readonly stack?: string;
  readonly code?: string;
  readonly cause?: ErrorFields;
  /** For an error that holds several others. */
  readonly errors?: readonly ErrorFields[];
}

/**
 * Returns the fields of an error that may be logged, and those of its causes. Errors of libraries can have other fields, for example the
 * claims of a rejected token.
 */
export function errorFields(error: unknown, depth = 0): ErrorFields {
  if (!(error instanceof Error)) return { type: typeof error, message: 'something that is not an error was thrown' };
  const { code, errors } = error as { code?: unknown; errors?: unknown };
  const within = depth < causesMax;
  return {
    type: error.constructor.name,
    message: cleaned(error, error.message),
    ...(error.stack !== undefined && { stack: cleaned(error, error.stack) }),
    ...(typeof code === 'string' && { code }),
    ...(within && error.cause !== undefined && { cause: errorFields(error.cause, depth + 1) }),
    ...(within && Array.isArray(errors) && { errors: errors.slice(0, 5).map((one) => errorFields(one, depth + 1)) }),
  };
}

/** The end of an email address, which mail servers repeat in refusals; also of the credentials in a URL. */
const addressEnd = /@[\w-]+(?:\.[\w-]+)*/g;
/** Characters that no address has before its `@`. */
const noAddress = /[\s<>()"'/\\@]/;

/**
 * Replaces addresses. The search starts at each `@`, in both directions: a search for the text before an `@` would scan a long text once
 * for each of its characters.
 */
function withoutAddresses(text: string): string {
  let result = '';
  let from = 0;
  for (const { index, 0: end } of text.matchAll(addressEnd)) {
    let start = index;
    while (start > from && !noAddress.test(text[start - 1] as string)) start--;
    if (start === index) continue;
    result += `${text.slice(from, start)}(address)`;
    from = index + end.length;
  }
  return result + text.slice(from);
}

/** Removes addresses, and quoted text that the runtime could not parse, since it can be anything. */
function cleaned(error: Error, text: string): string {
  const isSyntax = error instanceof SyntaxError && / JSON\b/.test(error.message);
  const known = isSyntax ? text.replace(error.message, 'the text is not valid JSON') : text;
  return withoutAddresses(known);
}

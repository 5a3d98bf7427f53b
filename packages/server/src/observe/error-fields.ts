/** What the log says of an error. */

const causesMax = 5;

export interface ErrorFields {
  readonly type: string;
  readonly message: string;
  readonly stack?: string;
  readonly code?: string;
  readonly cause?: ErrorFields;
  /** Of an error that stands for several. */
  readonly errors?: readonly ErrorFields[];
}

/**
 * Returns the fields of an error that are known to be fit for the log, and those of its causes. Errors of libraries carry
 * others, such as the claims of a token that was refused.
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

/** An email address, which mail servers repeat in what they refuse; also the credentials in a URL. */
const address = /[^\s<>()"'/\\@]+@[\w-]+(?:\.[\w-]+)*/g;

/** Takes out addresses, and the text that the runtime could not parse and quotes: nobody knows what stands there. */
function cleaned(error: Error, text: string): string {
  const isSyntax = error instanceof SyntaxError && / JSON\b/.test(error.message);
  const known = isSyntax ? text.replace(error.message, 'the text is not valid JSON') : text;
  return known.replace(address, '(address)');
}

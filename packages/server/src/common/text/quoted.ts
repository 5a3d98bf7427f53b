import { shortened } from '@holdfast/json';

/** Returns text from a request in a form for messages: quoted, with control characters escaped, cut at 64 characters. */
export const quoted = (text: string): string => JSON.stringify(shortened(text, 64));

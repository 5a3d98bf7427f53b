import { type Filling, fillFrom, type SchemaFaultPattern } from '@holdfast/contract/messages';

/** A fault that makes a schema unusable, and its position. */
export class SchemaFault extends Error {
  override readonly name = 'SchemaFault';
  /** JSON Pointer to the keyword or the schema. */
  readonly path: string;
  readonly keyword: string;

  constructor(path: string, keyword: string, message: string) {
    super(message);
    this.path = path;
    this.keyword = keyword;
  }
}

/** Returns the fault of a keyword at a JSON Pointer, with its message. */
export function schemaFault<Pattern extends SchemaFaultPattern>(
  path: string,
  keyword: string,
  pattern: Pattern,
  ...[parameters]: Filling<Pattern, 'keyword'>
): SchemaFault {
  return new SchemaFault(path, keyword, fillFrom(pattern, { ...parameters, keyword }));
}

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

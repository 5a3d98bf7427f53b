/** The positions of schemas in their documents. */
import type { JsonValue } from '@holdfast/json';

/** A schema with an identifier, and everything in it up to the next identifier. */
export interface Resource {
  readonly uri: string;
  readonly root: JsonValue;
  readonly location: string;
  readonly anchors: Map<string, JsonValue>;
  readonly dynamicAnchors: Map<string, JsonValue>;
  /** The names of the vocabularies in use; undefined for all vocabularies. */
  readonly vocabularies: ReadonlySet<string> | undefined;
}

/** The position of a schema. */
export interface SchemaPosition {
  readonly resource: Resource;
  /** JSON Pointer in its document, as a fragment. */
  readonly location: string;
}

/** The tabs of a schema's page, as in its address. */
import type { SchemaKind } from '@holdfast/contract';

export const schemaViews = ['rules', 'edit', 'report', 'check', 'history'] as const;
export type SchemaView = (typeof schemaViews)[number];

export interface SchemaSearch {
  readonly kind?: SchemaKind;
  readonly view?: SchemaView;
  /** JSON Pointer to the part of the schema that its rules or its JSON show. */
  readonly at?: string;
  readonly version?: number;
  readonly from?: number;
}

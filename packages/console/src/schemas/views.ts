/** The tabs of a schema's page, as in its address. */
import type { SchemaKind } from '@holdfast/contract';

export const schemaViews = ['rules', 'edit', 'report', 'check', 'history'] as const;
export type SchemaView = (typeof schemaViews)[number];

export interface SchemaSearch {
  readonly kind?: SchemaKind;
  readonly view?: SchemaView;
  readonly version?: number;
  readonly from?: number;
}

/** Follows references inside an OpenAPI document. */
import type {
  HeaderObject,
  JsonSchema,
  OpenApi,
  ParameterObject,
  Reference,
  ResponseObject,
} from '@holdfast/contract/openapi';

type Components = OpenApi['components'];

/** The last part of a reference: the name of its target. */
function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

/** Follows a reference to a schema. Throws if it is missing. */
export function resolveSchema(components: Components, schema: JsonSchema): JsonSchema {
  return schema.$ref === undefined ? schema : found(components.schemas, schema.$ref);
}

/** Follows a reference to a parameter. Throws if it is missing. */
export function resolveParameter(components: Components, one: ParameterObject | Reference): ParameterObject {
  return '$ref' in one ? found(components.parameters, one.$ref) : one;
}

/** Follows a reference to a response. Throws if it is missing. */
export function resolveResponse(components: Components, one: ResponseObject | Reference): ResponseObject {
  return '$ref' in one ? found(components.responses, one.$ref) : one;
}

/** Follows a reference to a header. Throws if it is missing. */
export function resolveHeader(components: Components, one: HeaderObject | Reference): HeaderObject {
  return '$ref' in one ? found(components.headers, one.$ref) : one;
}

function found<Value>(values: Readonly<Record<string, Value>>, reference: string): Value {
  const value = values[nameOf(reference)];
  if (value === undefined) throw new Error(`cannot resolve "${reference}": the document has no such component`);
  return value;
}

import type { JsonValue } from '@holdfast/json';
import { HoldfastError } from './errors.ts';
import { noteOrigins } from './exact.ts';

/** A schema of a Standard Schema library, such as zod, valibot or arktype. @see https://standardschema.dev */
export interface StandardSchema<Output = unknown, Input = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly unknown[] | undefined }[] };

/** Returns a schema's output for a value. Rejects with `invalid_state` if the value does not fit. */
export async function validate<Output>(schema: StandardSchema<Output> | undefined, value: unknown): Promise<Output> {
  if (schema === undefined) return value as Output;
  const result = await resultOf(schema, value);
  if (result.issues === undefined) return result.value;
  const [issue] = result.issues;
  const path = issue?.path?.map((part) => String((part as { key?: unknown }).key ?? part)).join('.') ?? '';
  throw new HoldfastError('invalid_state', `the state does not fit its schema: ${path} ${issue?.message}`);
}

/** Returns the public form of a document, given its `plain` copy. Rejects with `invalid_state` if it does not fit. */
export async function show<Output>(
  schema: StandardSchema<Output> | undefined,
  document: JsonValue,
  plain: unknown,
): Promise<Output> {
  const shown = await validate(schema, plain);
  if (shown !== plain) noteOrigins(shown, document);
  return shown;
}

/** Like {@link show}, without waiting: undefined if the document does not fit, or the schema is asynchronous. */
export function showNow<Output>(
  schema: StandardSchema<Output> | undefined,
  document: JsonValue,
  plain: unknown,
): Output | undefined {
  if (schema === undefined) return plain as Output;
  const result = schema['~standard'].validate(plain);
  if ('then' in result) result.catch(() => {}); // it is called again
  if ('then' in result || result.issues !== undefined) return undefined;
  noteOrigins(result.value, document);
  return result.value;
}

async function resultOf<Output>(schema: StandardSchema<Output>, value: unknown): Promise<SchemaResult<Output>> {
  try {
    return await schema['~standard'].validate(value);
  } catch (cause) {
    throw new HoldfastError('invalid_state', `the schema cannot say whether the state fits: ${cause}`, { cause });
  }
}

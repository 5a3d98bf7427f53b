/** From the text of a schema to what judges documents. It may take long, so it runs on threads. */
import { JsonTextError, type JsonValue, parseJson } from '@holdfast/json';
import { schemaCharactersMax } from './bounds.ts';
import { compileSchema, type SchemaCompilation } from './compile.ts';
import { ruleTreeOf } from './rule-tree.ts';
import { SchemaFault } from './schema-fault.ts';
import type { CompiledShape } from './shape.ts';

/** A shape, and what is known of how it was made. */
export interface ShapeCompilation {
  readonly shape: CompiledShape;
  readonly schema: SchemaCompilation;
}

/** Compiles the JSON text of a schema. Throws `SchemaFault` for one that does not compile or is beyond its bounds. */
export function compileShape(text: string): ShapeCompilation {
  if (text.length > schemaCharactersMax) {
    const message = `the schema has ${text.length} characters; at most ${schemaCharactersMax} are allowed`;
    throw new SchemaFault('', 'budget', message);
  }
  const schema = compileSchema(schemaOf(text));
  return { shape: { root: schema.schema, rules: ruleTreeOf(schema), isDynamic: schema.isDynamic }, schema };
}

function schemaOf(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonTextError)
      throw new SchemaFault('', 'type', `the schema is no JSON that can be read: ${error.message}`);
    throw error;
  }
}

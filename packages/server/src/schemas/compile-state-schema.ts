/** Compiles the text of a schema, so that documents can be validated. Compiling may take long, so it runs on worker threads. */
import { schemaFaultMessages } from '@holdfast/contract/messages';
import { JsonTextError, type JsonValue, parseJson } from '@holdfast/json';
import { schemaCharactersMax } from './bounds.ts';
import { compileSchema, type SchemaCompilation } from './compile.ts';
import { ruleTreeOf } from './rule-tree.ts';
import { schemaFault } from './schema-fault.ts';
import type { CompiledStateSchema } from './state-schema.ts';

/** A compiled schema, and facts about its compilation. */
export interface StateSchemaCompilation {
  readonly compiled: CompiledStateSchema;
  readonly schema: SchemaCompilation;
}

/** Compiles the JSON text of a schema. Throws `SchemaFault` if the schema does not compile or exceeds the bounds. */
export function compileStateSchema(text: string): StateSchemaCompilation {
  const { length: count } = text;
  if (count > schemaCharactersMax)
    throw schemaFault('', 'budget', schemaFaultMessages.characters, { count, limit: schemaCharactersMax });
  const schema = compileSchema(schemaOf(text));
  return { compiled: { root: schema.schema, rules: ruleTreeOf(schema), isDynamic: schema.isDynamic }, schema };
}

function schemaOf(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonTextError)
      throw schemaFault('', 'type', schemaFaultMessages.notJson, { fault: error.message });
    throw error;
  }
}

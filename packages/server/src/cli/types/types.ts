/** `holdfast types`: prints TypeScript from a JSON Schema. */
import { isJsonObject, JsonTextError, type JsonValue, parseJson, printJson } from '@holdfast/json';
import { readTextFile } from '../../common/files/text-file.ts';
import { SchemaFault } from '../../schemas/schema-fault.ts';
import { CommandFault } from '../fault.ts';
import { printable } from '../print.ts';
import { typesOf } from './schema-types.ts';

export interface TypesOptions {
  readonly name: string;
}

/**
 * Prints the types of the schema in a file, which may stand inside the body that sends it. Warns if they allow any value. Throws a
 * `CommandFault` for an unreadable file, and for a schema that the service would refuse.
 */
export async function typesCommand(file: string, { name }: TypesOptions): Promise<void> {
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    throw new CommandFault(`--name ${JSON.stringify(name)} cannot be the name of a type: use letters, digits and _`);
  }
  const text = schemaWithin(readSchema(file));
  try {
    const types = await typesOf(text, name);
    if (types.split('\n').includes(`export type ${name} = unknown`)) {
      process.stderr.write(
        `holdfast: the schema in ${printable(file)} says nothing about the value, so its type is unknown\n`,
      );
    }
    process.stdout.write(types);
  } catch (error) {
    if (!(error instanceof SchemaFault)) throw error;
    throw new CommandFault(`the schema in ${file} cannot be used: ${error.path || 'its root'}: ${error.message}`);
  }
}

function readSchema(file: string): string {
  try {
    return readTextFile(file);
  } catch (error) {
    throw new CommandFault(`cannot read ${file}: ${error instanceof Error ? error.message : error}`);
  }
}

/** The text of a schema, without the members "mode" and "schema" of a body around it. */
function schemaWithin(text: string): string {
  const value = jsonOf(text);
  if (!isJsonObject(value) || typeof value.mode !== 'string') return text;
  const { schema } = value;
  return typeof schema === 'boolean' || isJsonObject(schema) ? printJson(schema) : text;
}

/** Undefined for text that is not JSON; the compiler of schemas says what is wrong with it. */
function jsonOf(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonTextError) return undefined;
    throw error;
  }
}

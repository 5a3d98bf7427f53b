/** `holdfast types`: prints TypeScript from a JSON Schema. */
import { readTextFile } from '../common/text-file.ts';
import { SchemaFault } from '../schemas/schema-fault.ts';
import { CommandFault } from './fault.ts';
import { typesOf } from './schema-types.ts';

export interface TypesOptions {
  readonly name: string;
}

/**
 * Prints the types of the schema in a file. Throws a `CommandFault` for an unreadable file, and for a schema that the service would refuse.
 */
export async function typesCommand(file: string, { name }: TypesOptions): Promise<void> {
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    throw new CommandFault(`--name ${JSON.stringify(name)} is no name of a type: use letters, digits and _`);
  }
  const text = readSchema(file);
  try {
    process.stdout.write(await typesOf(text, name));
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

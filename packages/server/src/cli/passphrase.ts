/** The passphrase of an export, from a file. */
import { readTextFile } from '../common/files/text-file.ts';
import { CommandFault } from './fault.ts';

/** Returns the first line of a file. Throws `CommandFault` if it cannot be read. */
export function readPassphrase(file: string): string {
  try {
    return readTextFile(file).split(/\r?\n/, 1)[0] ?? '';
  } catch (error) {
    throw new CommandFault(`cannot read the passphrase: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** How a command fails. */

/** A command that cannot be carried out, with the lines to print. */
export class CommandFault extends Error {
  override readonly name = 'CommandFault';
  readonly lines: readonly string[];

  constructor(...lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

/** Returns the lines that say why a command failed. */
export function faultLines(error: unknown): readonly string[] {
  if (error instanceof CommandFault) return error.lines;
  return [error instanceof Error ? error.message : String(error)];
}

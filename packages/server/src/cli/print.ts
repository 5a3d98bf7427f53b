/** Prints the results of commands. */

/**
 * Characters that a terminal interprets instead of showing: control characters, line and paragraph separators, marks that change the
 * direction of writing, and lone surrogates.
 */
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Returns `text` with everything that a terminal would interpret escaped as `\u001b`. */
export function printable(text: string): string {
  return text.replace(unprintable, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Prints `value` as JSON, for programs. */
export function printJson(value: unknown): void {
  // JSON escapes only the characters below U+0020; the formatter's line breaks stay.
  const lines = JSON.stringify(value, undefined, 2).split('\n');
  process.stdout.write(`${lines.map(printable).join('\n')}\n`);
}

/** Prints rows in columns, for people. */
export function printTable(rows: readonly (readonly string[])[], output: NodeJS.WritableStream = process.stdout): void {
  const shown = rows.map((row) => row.map(printable));
  const widths: number[] = [];
  for (const row of shown)
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    });
  for (const row of shown) {
    const line = row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
    output.write(`${line.trimEnd()}\n`);
  }
}

/** Returns an array as PostgreSQL writes it, for a parameter that the statement casts to the type it is of. */
export function arrayLiteral(values: readonly (string | number)[]): string {
  return `{${values.map((value) => (typeof value === 'number' ? value : quoted(value))).join(',')}}`;
}

const quoted = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`;

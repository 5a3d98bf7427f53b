/** What the programs have in common: where the service is, and what they tell of it. */

interface Operation {
  op: 'add' | 'remove' | 'replace';
  path: string;
  value?: unknown;
}

function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is missing`);
  return value;
}

const ops: Operation[] = [
  { op: 'replace', path: '/theme', value: 'light' },
  { op: 'add', path: '/nothing', value: null },
  { op: 'remove', path: '/old' },
];

export const target = {
  url: variable('HOLDFAST_URL'),
  accountId: variable('HOLDFAST_ACCOUNT_ID'),
  developerToken: variable('HOLDFAST_DEVELOPER_TOKEN'),
  /** A project that is there already; the one of the round has no key that reaches it. */
  otherSlug: variable('HOLDFAST_PROJECT'),
  /** The project that the round makes. */
  slug: variable('ROUND_SLUG'),
  ops,
};

/** A result that succeeded. Throws for any other. */
export function demand<Result extends { readonly data?: unknown; readonly error?: unknown }>(
  result: Result,
): Result & { readonly data: NonNullable<Result['data']> } {
  if (result.error !== undefined) throw new Error(JSON.stringify(result.error));
  return result as Result & { readonly data: NonNullable<Result['data']> };
}

/** The last line that a program prints. */
export function report(findings: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify(findings)}\n`);
}

/** Paths of operations in the description. */

/**
 * The path of each operation in the description. OpenAPI forbids path templates that differ only in parameter names, so they share one,
 * whose parameter is named after both: `{env}` and `{endUserId}` become `{envOrEndUserId}`.
 *
 * @see https://spec.openapis.org/oas/v3.1.1.html#patterned-fields
 */
export function documentPaths(paths: readonly string[]): ReadonlyMap<string, string> {
  const template = (path: string) => path.replaceAll(/\{\w+\}/g, '{}');
  return new Map(
    paths.map((path) => {
      const alike = paths.filter((other) => template(other) === template(path)).map(parameterNames);
      let position = 0;
      return [
        path,
        path.replaceAll(/\{\w+\}/g, () => {
          const names = new Set(alike.map((parameters) => parameters[position] ?? ''));
          position += 1;
          return `{${[...names].map((name, index) => (index === 0 ? name : `Or${capitalized(name)}`)).join('')}}`;
        }),
      ];
    }),
  );
}

/** Returns the parameter names of a path template, in order. */
export function parameterNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Import cycles: files, or folders, that import each other, directly or through others. */

/** What each file imports, by its path. */
export type Imports = ReadonlyMap<string, readonly string[]>;

/**
 * Returns every import in a cycle, as pairs of paths. Files that can reach each other form a component, found with Tarjan's algorithm. An
 * import is in a cycle exactly if both ends are in one component.
 */
export function findCircles(imports: Imports): readonly (readonly [file: string, target: string])[] {
  const component = componentsOf(imports);
  return [...imports].flatMap(([file, targets]) =>
    targets.filter((target) => component.get(target) === component.get(file)).map((target) => [file, target] as const),
  );
}

/** Returns every import in a cycle of folders, as pairs of paths. Files count if `folderOf` returns their folder. */
export function findFolderCircles(
  imports: Imports,
  folderOf: (path: string) => string | undefined,
): readonly (readonly [file: string, target: string])[] {
  const folders = new Map<string, string[]>();
  const pairs = [...imports].flatMap(([file, targets]) => targets.map((target) => [file, target] as const));
  const crossings = pairs.filter(([file, target]) => {
    const [from, to] = [folderOf(file), folderOf(target)];
    if (from === undefined || to === undefined || from === to) return false;
    folders.set(from, [...(folders.get(from) ?? []), to]);
    return true;
  });
  const circles = new Set(findCircles(folders).map((ends) => ends.join(' ')));
  return crossings.filter((pair) => circles.has(pair.map(folderOf).join(' ')));
}

/** Returns the component of each file. */
function componentsOf(imports: Imports): Map<string, number> {
  const component = new Map<string, number>();
  const order = new Map<string, number>();
  const open: string[] = [];

  /** Returns the earliest reachable file in `open`. */
  function visit(file: string): number {
    const own = order.size;
    order.set(file, own);
    open.push(file);
    let earliest = own;
    for (const target of imports.get(file) ?? []) {
      if (!imports.has(target) || component.has(target)) continue;
      earliest = Math.min(earliest, order.get(target) ?? visit(target));
    }
    if (earliest === own) for (const member of open.splice(open.indexOf(file))) component.set(member, own);
    return earliest;
  }

  for (const file of imports.keys()) if (!order.has(file)) visit(file);
  return component;
}

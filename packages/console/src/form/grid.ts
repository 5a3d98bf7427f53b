/** A list or map of objects, a long list, or texts by language, as rows and columns. */
import { isContainer, isJsonObject, type JsonObject, type JsonValue } from '@holdfast/json';
import { choicesOf, type Hint, type Hints, namesOf, noHint, requiredOf } from '../fields/hints.ts';
import { identityNames } from '../fields/identity.ts';
import { type FieldKind, isTexts, kindOf, scalarKind } from '../fields/kinds.ts';
import { memberNames } from '../fields/names.ts';
import { isInteger, isNumber, type Path, valueAt, withValue } from '../fields/values.ts';
import type { Value } from '../json-text/changes.ts';

export type Container = JsonObject | readonly JsonValue[];

export interface GridColumn {
  /** From a row to the cell; of texts, the language. */
  readonly path: Path;
  /** Its keys. */
  readonly name: string;
  /** Its name for people; of texts, the code of the language; empty if the rows themselves are scalars. */
  readonly label: string;
  readonly kind: FieldKind;
  readonly hint: Hint;
  /** Whether rows may lack it. */
  readonly isOptional: boolean;
  /** Whether some of its values are null. */
  readonly isNullable: boolean;
  /** Whether all of its numbers are integers. */
  readonly isWhole: boolean;
}

/** Rows are elements (`list`), members (`map`), or names of texts in all languages (`texts`). */
export interface Grid {
  readonly kind: 'list' | 'map' | 'texts';
  readonly columns: readonly GridColumn[];
  /** The path of each row; of texts, within each language. */
  readonly rows: readonly Path[];
}

/** Objects in cells become columns of their own down to this depth. */
const depthMax = 3;
/** Further ones are in one JSON cell. */
const columnsMax = 60;

/** Returns the path of a cell in the container. */
export const cellPath = ({ kind }: Grid, row: Path, { path }: Pick<GridColumn, 'path'>): Path =>
  kind === 'texts' ? [...path, ...row] : [...row, ...path];

/** Returns the grid of a container. */
export function gridOf(container: Container, hint: Hint, hints: Hints): Grid {
  if (isJsonObject(container) && isTexts(container)) return textGrid(container);
  const isList = Array.isArray(container);
  const rows = Object.keys(container);
  const rowHint = hints.below(hint, rows[0] ?? '0', isList);
  const columns = columnsOf(Object.values<JsonValue>(container), rowHint, hints);
  return { kind: isList ? 'list' : 'map', columns, rows: rows.map((name) => [name]) };
}

function textGrid(container: JsonObject): Grid {
  const rows = new Map<string, Path>();
  const collect = (value: JsonValue, path: Path) => {
    if (isJsonObject(value)) for (const [name, child] of Object.entries(value)) collect(child, [...path, name]);
    else rows.set(JSON.stringify(path), path);
  };
  for (const language of Object.values(container)) collect(language, []);
  const columns = Object.keys(container).map((name) => ({
    path: [name],
    name,
    label: name,
    kind: 'text' as const,
    hint: noHint,
    isOptional: true,
    isNullable: false,
    isWhole: false,
  }));
  return { kind: 'texts', columns, rows: [...rows.values()] };
}

function columnsOf(
  rows: readonly Value[],
  hint: Hint,
  hints: Hints,
  path: Path = [],
  names: readonly string[] = [],
  isAlways = true,
): readonly GridColumn[] {
  const present = rows.filter((value) => value !== undefined);
  const isObjects = present.length > 0 && present.every(isJsonObject);
  if ((isObjects || (present.length === 0 && namesOf(hint).length > 0)) && path.length < depthMax) {
    const identity = identityNames.find((name) => present.some((row) => isJsonObject(row) && Object.hasOwn(row, name)));
    const isFirst = path.length === 0 && identity !== undefined && !namesOf(hint).includes(identity);
    const keys = new Set([...(isFirst ? [identity] : []), ...namesOf(hint)]);
    for (const row of present) if (isJsonObject(row)) for (const key of Object.keys(row)) keys.add(key);
    const required = requiredOf(hint);
    if (keys.size > 0 && keys.size <= columnsMax) {
      const nameOf = memberNames(present.filter(isJsonObject), hint, hints);
      return [...keys].flatMap((key) => {
        const below = hints.below(hint, key, false);
        return columnsOf(
          rows.map((row) => valueAt(row, [key])),
          below,
          hints,
          [...path, key],
          [...names, nameOf(key)],
          isAlways && required.includes(key),
        );
      });
    }
  }
  return [{ ...columnOf(present, rows.length > present.length, hint, path, isAlways), label: names.join(' › ') }];
}

function columnOf(
  present: readonly JsonValue[],
  hasGaps: boolean,
  hint: Hint,
  path: Path,
  isAlways: boolean,
): Omit<GridColumn, 'label'> {
  const known = present.filter((value) => value !== null);
  const kinds = new Set(known.map((value) => (isContainer(value) ? 'json' : scalarKind(value, hint))));
  const [only] = kinds;
  const byHint = kindOf(undefined, hint);
  const isDeclared = byHint === 'text' || byHint === 'number' || byHint === 'boolean' || byHint === 'choice';
  const kind = kinds.size === 1 && only !== undefined ? only : kinds.size === 0 && isDeclared ? byHint : 'json';
  const isSchemaKnown = Object.keys(hint).length > 0;
  return {
    path,
    name: path.join(' › '),
    kind,
    hint,
    isOptional: hasGaps || (isSchemaKnown && !isAlways && path.length > 0),
    isNullable: known.length < present.length,
    isWhole: known.length > 0 && known.filter(isNumber).every(isInteger),
  };
}

/** A new value of one cell; undefined removes it. */
export interface CellEdit {
  readonly row: Path;
  readonly column: Pick<GridColumn, 'path'>;
  readonly value: Value;
}

/** Returns the container with new values in cells. */
export function withCells(container: Container, grid: Grid, edits: readonly CellEdit[]): Container {
  let next: Value = container;
  for (const { row, column, value } of edits) {
    const path = cellPath(grid, row, column);
    // An element of a list of scalars stays.
    if (value === undefined && grid.kind === 'list' && path.length === 1) continue;
    next = withValue(next, path, value);
  }
  return next !== undefined && isContainer(next) ? next : container;
}

/** Returns the container without these rows. */
export function withoutRows(container: Container, grid: Grid, rows: readonly Path[]): Container {
  if (grid.kind === 'texts') {
    return withCells(
      container,
      grid,
      rows.flatMap((row) => grid.columns.map((column) => ({ row, column, value: undefined }))),
    );
  }
  const gone = new Set(rows.map(([name]) => name));
  if (Array.isArray(container)) return container.filter((_, index) => !gone.has(String(index)));
  return Object.fromEntries(Object.entries<JsonValue>(container).filter(([name]) => !gone.has(name)));
}

/** The member that identifies the elements of a list; undefined if there is none, or if it is ambiguous. */
export function identityColumn(grid: Grid, container: Container): GridColumn | undefined {
  if (grid.kind !== 'list') return undefined;
  return grid.columns.find((column) => {
    if (!identityNames.some((name) => name === column.name)) return false;
    const values = grid.rows.map((row) => valueAt(container, cellPath(grid, row, column)));
    return (
      new Set(values).size === values.length &&
      values.every((value) => typeof value === 'string' || typeof value === 'number')
    );
  });
}

/** Returns copies of rows, each after its original, under names that are still free; and the paths of the copies. */
export function withCopies(
  container: Container,
  grid: Grid,
  rows: readonly Path[],
): { container: Container; copies: Path[] } {
  const copies: Path[] = [];
  if (grid.kind === 'texts') {
    let next = container;
    const taken = new Set(grid.rows.map((row) => JSON.stringify(row)));
    for (const row of rows) {
      const last = freeName(row.at(-1) ?? '', (name) => taken.has(JSON.stringify([...row.slice(0, -1), name])));
      const copy = [...row.slice(0, -1), last];
      taken.add(JSON.stringify(copy));
      copies.push(copy);
      next = withCells(
        next,
        grid,
        grid.columns.map((column) => ({ row: copy, column, value: valueAt(container, cellPath(grid, row, column)) })),
      );
    }
    return { container: next, copies };
  }
  const chosen = new Set(rows.map(([name]) => name));
  if (!Array.isArray(container)) return copiedMembers(Object.entries<JsonValue>(container), chosen);
  const identity = identityColumn(grid, container);
  const taken = new Set(identity && container.map((element) => valueAt(element, identity.path)));
  const next = container.flatMap((element: JsonValue, index) => {
    if (!chosen.has(String(index))) return [element];
    copies.push([String(index + 1 + copies.length)]);
    return [element, identity === undefined ? element : renewed(element, identity.path, taken)];
  });
  return { container: next, copies };
}

function copiedMembers(members: readonly [string, JsonValue][], chosen: ReadonlySet<string | undefined>) {
  const copies: Path[] = [];
  const taken = new Set(members.map(([name]) => name));
  const entries = members.flatMap(([name, value]) => {
    if (!chosen.has(name)) return [[name, value] as const];
    const copy = freeName(name, (other) => taken.has(other));
    taken.add(copy);
    copies.push([copy]);
    return [[name, value] as const, [copy, value] as const];
  });
  return { container: Object.fromEntries(entries), copies };
}

/** An element with an identity that no other one has. */
function renewed(element: JsonValue, path: Path, taken: Set<Value>): JsonValue {
  const old = valueAt(element, path);
  const next =
    typeof old === 'number'
      ? Math.max(0, ...[...taken].filter((value) => typeof value === 'number')) + 1
      : freeName(String(old), (name) => taken.has(name));
  taken.add(next);
  return withValue(element, path, next) ?? element;
}

/** Returns the name followed by the first number that makes it free. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  const stem = name.replace(/-\d+$/, '');
  let number = 2;
  while (isTaken(`${stem}-${number}`)) number++;
  return isTaken(name) ? `${stem}-${number}` : name;
}

/** The choices of a column. */
export const columnChoices = ({ hint }: GridColumn): readonly JsonValue[] => choicesOf(hint) ?? [];

/** Changes of a document's value as changes of its text. Text of untouched values stays as it was typed, digit for digit. */
import { isJsonObject, type JsonObject, type JsonValue } from '@holdfast/json';
import { type Child, childrenOf, endOfString, endOfValue, skipSpace } from './text-places.ts';

/** Replaces the characters of a text from `from` to `to`. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** How the children of a container are laid out. */
interface Layout {
  /** Between two children, after the comma. */
  readonly gap: string;
  /** The indentation of further lines of a child; undefined if everything is in one line. */
  readonly indent: string | undefined;
}

type List = readonly JsonValue[];
type Changes = TextChange[];

/** Returns the changes that turn the text of `before`, which must be JSON, into a text of `after`. Equal values are skipped by identity. */
export function textChanges(text: string, before: JsonObject, after: JsonObject): readonly TextChange[] {
  const changes: Changes = [];
  const at = skipSpace(text, 0);
  visit(text, changes, { at, indent: text.includes('\n') ? '' : undefined }, before, after);
  return changes.sort((one, other) => one.from - other.from || one.to - other.to);
}

/** Returns the text with changes that were found in it. */
export const changed = (text: string, changes: readonly TextChange[]): string =>
  changes.reduceRight((now, { from, to, insert }) => now.slice(0, from) + insert + now.slice(to), text);

function visit(
  text: string,
  changes: Changes,
  where: { at: number; indent: string | undefined },
  before: JsonValue,
  after: JsonValue,
) {
  if (before === after) return;
  if (isJsonObject(before) && isJsonObject(after)) visitObject(text, changes, where, before, after);
  else if (Array.isArray(before) && Array.isArray(after)) visitList(text, changes, where, before, after);
  else replaceWhole(text, changes, where, after);
}

function replaceWhole(
  text: string,
  changes: Changes,
  where: { at: number; indent: string | undefined },
  after: JsonValue,
): void {
  changes.push({ from: where.at, to: endOfValue(text, where.at), insert: printed(after, where.indent) });
}

function visitObject(
  text: string,
  changes: Changes,
  where: { at: number; indent: string | undefined },
  before: JsonObject,
  after: JsonObject,
): void {
  const children = childrenOf(text, where.at);
  const layout = layoutOf(text, where.at, children);
  /** Of duplicate names, the last one counts. */
  const last = new Map(children.map((child) => [child.name, child]));
  const renamed = renamedMembers(before, after);
  const isKept = ({ name }: Child) => Object.hasOwn(after, renamed.get(name) ?? name);
  if (!children.some(isKept)) {
    replaceWhole(text, changes, where, after);
    return;
  }
  remove(changes, children, isKept);
  for (const [name, child] of last) {
    const now = renamed.get(name) ?? name;
    const [from, to] = [before[name], after[now]];
    if (from === undefined || to === undefined || !isKept(child)) continue;
    if (now !== name) changes.push({ from: child.from, to: endOfString(text, child.from), insert: JSON.stringify(now) });
    visit(text, changes, { at: child.value, indent: layout.indent }, from, to);
  }
  const renames = new Set(renamed.values());
  const added = Object.entries(after).filter(([name]) => !Object.hasOwn(before, name) && !renames.has(name));
  append(
    changes,
    children,
    layout,
    added.map(([name, value]) => `${JSON.stringify(name)}${colonOf(layout)}${printed(value, layout.indent)}`),
  );
}

/** Members that only have another name now, at the same position: new names by old ones. */
function renamedMembers(before: JsonObject, after: JsonObject): ReadonlyMap<string, string> {
  const [old, now] = [Object.keys(before), Object.keys(after)];
  if (old.length !== now.length) return new Map();
  return new Map(
    old.flatMap((name, index) => {
      const next = now[index];
      const isNew = next !== undefined && next !== name && !Object.hasOwn(before, next) && !Object.hasOwn(after, name);
      return isNew ? [[name, next] as const] : [];
    }),
  );
}

function visitList(
  text: string,
  changes: Changes,
  where: { at: number; indent: string | undefined },
  before: List,
  after: List,
): void {
  const children = childrenOf(text, where.at);
  const layout = layoutOf(text, where.at, children);
  const steps = listSteps(before, after);
  if (steps === undefined || steps.kept.size === 0) {
    replaceWhole(text, changes, where, after);
    return;
  }
  remove(changes, children, (_, index) => steps.kept.has(index));
  for (const [index, to] of steps.kept) {
    const [child, from, value] = [children[index], before[index], after[to]];
    if (child !== undefined && from !== undefined && value !== undefined) {
      visit(text, changes, { at: child.value, indent: layout.indent }, from, value);
    }
  }
  for (const { behind, values } of steps.inserted) {
    const items = values.map((value) => printed(value, layout.indent));
    const [first] = children;
    if (behind >= 0) append(changes, children.slice(0, behind + 1), layout, items);
    else if (first !== undefined) {
      const insert = items.map((item) => `${item},${layout.gap}`).join('');
      changes.push({ from: first.from, to: first.from, insert });
    }
  }
}

interface ListSteps {
  /** The element of the second list that each kept element of the first becomes. */
  readonly kept: ReadonlyMap<number, number>;
  /** New elements, and the element of the first list that they follow; -1 at the beginning. */
  readonly inserted: readonly { readonly behind: number; readonly values: List }[];
}

/** Returns how a list becomes another one; undefined if elements were moved. */
function listSteps(before: List, after: List): ListSteps | undefined {
  const kept = new Map<number, number>();
  const inserted: { behind: number; values: JsonValue[] }[] = [];
  const [old, now] = [new Set(before), new Set(after)];
  const isSameLength = before.length === after.length;
  let [from, to] = [0, 0];
  while (from < before.length || to < after.length) {
    const [one, other] = [before[from], after[to]];
    if (one !== undefined && other !== undefined && (one === other || isSameLength || (!now.has(one) && !old.has(other)))) {
      kept.set(from++, to++);
    } else if (one !== undefined && (!now.has(one) || other === undefined)) {
      from++;
    } else if (other !== undefined && (!old.has(other) || one === undefined)) {
      const behind = from - 1;
      const last = inserted.at(-1);
      if (last?.behind === behind) last.values.push(other);
      else inserted.push({ behind, values: [other] });
      to++;
    } else {
      return undefined;
    }
  }
  return { kept, inserted };
}

/** Removes children with their commas. At least one is kept. */
function remove(changes: Changes, children: readonly Child[], isKept: (child: Child, index: number) => boolean): void {
  let hasKept = false;
  for (const [index, child] of children.entries()) {
    if (isKept(child, index)) {
      hasKept = true;
      continue;
    }
    const beside = children[hasKept ? index - 1 : index + 1];
    if (beside === undefined) continue;
    const range = hasKept ? { from: beside.to, to: child.to } : { from: child.from, to: beside.from };
    changes.push({ ...range, insert: '' });
  }
}

/** Inserts items behind the last of these children. */
function append(changes: Changes, children: readonly Child[], { gap }: Layout, items: readonly string[]): void {
  const last = children.at(-1);
  if (last === undefined || items.length === 0) return;
  changes.push({ from: last.to, to: last.to, insert: items.map((item) => `,${gap}${item}`).join('') });
}

const colonOf = ({ gap }: Layout) => (gap === '' ? ':' : ': ');

/** Reads the layout from the first children. */
function layoutOf(text: string, at: number, children: readonly Child[]): Layout {
  const [first, second] = children;
  if (first === undefined) return { gap: '', indent: undefined };
  const lead = text.slice(at + 1, first.from);
  const line = lead.lastIndexOf('\n');
  if (line !== -1) return { gap: lead.slice(line), indent: lead.slice(line + 1) };
  const between = second === undefined ? '' : text.slice(first.to, second.from).replace(/^\s*,/, '');
  return { gap: between === '' ? '' : ' ', indent: undefined };
}

function printed(value: JsonValue, indent: string | undefined): string {
  return indent === undefined ? JSON.stringify(value) : JSON.stringify(value, null, 2).replaceAll('\n', `\n${indent}`);
}

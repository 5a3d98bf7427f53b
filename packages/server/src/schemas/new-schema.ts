/** Additional checks for a new schema, and warnings for its author. Stored schemas stay in force regardless. Runs on worker threads. */
import { fill, schemaFaultMessages, schemaWarningMessages } from '@holdfast/contract/messages';
import { isJsonObject, type JsonObject, type JsonValue } from '@holdfast/json';
import { patternClassesMax, warningsMax } from './bounds.ts';
import { compileStateSchema } from './compile-state-schema.ts';
import { natures } from './keywords.ts';
import { namedClassesIn } from './pattern-source.ts';
import { pointerBelow } from './pointer.ts';
import { canRefuse } from './refusal-search.ts';
import { ruleNames } from './rules.ts';
import { schemaFault } from './schema-fault.ts';
import { schemasIn } from './subschemas.ts';

/** Something in a schema that may be a mistake. */
export interface Warning {
  /** JSON Pointer to the position in the schema, as a fragment. */
  readonly schemaLocation: string;
  readonly message: string;
}

export interface NewSchema {
  /** The number of instructions in the compiled regular expressions. */
  readonly instructions: number;
  readonly warnings: readonly Warning[];
}

/** Keywords of this service that are not in the draft. */
const extensions: readonly string[] = [...ruleNames, 'x-ui'];
const known: ReadonlySet<string> = new Set([...natures.keys(), ...extensions]);
/** Keywords that earlier drafts named differently. */
const renamed: Readonly<Record<string, string>> = {
  dependencies: 'dependentRequired',
  additionalItems: 'items',
  id: '$id',
  $recursiveRef: '$dynamicRef',
  $recursiveAnchor: '$dynamicAnchor',
};

/** Members of a body around a schema. */
const wrapping = ['mode', 'schema', 'version', 'comment', 'warnings'];

/** Compiles the JSON text of a schema and inspects it. Throws `SchemaFault`, including for an unknown `x-…` keyword. */
export function readNewSchema(text: string): NewSchema {
  const classes = namedClassesIn(text);
  if (classes > patternClassesMax)
    throw schemaFault('', 'budget', schemaFaultMessages.classes, { count: classes, limit: patternClassesMax });
  const { compiled, schema } = compileStateSchema(text);
  const { written, instructions } = schema;
  const isWrapped = isJsonObject(written) && typeof written.mode === 'string' && isSchema(written.schema);
  const warnings: Warning[] = [];
  if (isWrapped) warnings.push({ schemaLocation: '#/schema', message: schemaWarningMessages.wrapped });
  if (isJsonObject(written)) addUnknown(written, isWrapped, warnings);
  if (!isWrapped && compiled.rules === undefined && !canRefuse(compiled.root))
    warnings.push({ schemaLocation: '#', message: schemaWarningMessages.refusesNothing });
  return { instructions, warnings: warnings.slice(0, warningsMax) };
}

const isSchema = (value: JsonValue | undefined): boolean => typeof value === 'boolean' || isJsonObject(value);

function addUnknown(root: JsonObject, isWrapped: boolean, warnings: Warning[]): void {
  const waiting = [{ schema: root, location: '#' }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { schema, location } = next;
    for (const name of Object.keys(schema)) {
      if (known.has(name) || (isWrapped && schema === root && wrapping.includes(name))) continue;
      const path = pointerBelow(location, [name]);
      if (name.startsWith('x-')) throw unknownFault(path, name);
      if (warnings.length < warningsMax) warnings.push({ schemaLocation: path, message: unknownMessage(name) });
    }
    const below: { schema: JsonObject; location: string }[] = [];
    for (const { path, child } of schemasIn(schema))
      if (isJsonObject(child)) below.push({ schema: child, location: pointerBelow(location, path) });
    waiting.push(...below.reverse());
  }
}

function unknownFault(path: string, name: string) {
  const near = nearest(name);
  return near === undefined
    ? schemaFault(path.slice(1), shown(name), schemaFaultMessages.unknown)
    : schemaFault(path.slice(1), shown(name), schemaFaultMessages.misspelt, { near });
}

function unknownMessage(name: string): string {
  const near = nearest(name);
  return near === undefined
    ? fill(schemaWarningMessages.unknown, { name: shown(name) })
    : fill(schemaWarningMessages.misspelt, { name: shown(name), near });
}

const shown = (name: string): string => (name.length > 64 ? `${name.slice(0, 64)}…` : name);

/** The known keyword that was probably meant. */
function nearest(name: string): string | undefined {
  if (Object.hasOwn(renamed, name)) return renamed[name];
  if (name.length > 40) return undefined;
  let best: string | undefined;
  let least = Math.min(3, Math.ceil(name.length / 3) + 1);
  for (const each of known) {
    const edits = editsBetween(name.toLowerCase(), each.toLowerCase());
    if (edits < least || (edits === least && each.startsWith(name))) [best, least] = [each, edits];
  }
  return best;
}

/** How many characters must be inserted, removed or replaced to turn one word into the other. */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 0; at < one.length; at++) {
    const next = [at + 1];
    for (let to = 0; to < other.length; to++) {
      const replaced = (row[to] ?? 0) + Number(one[at] !== other[to]);
      next.push(Math.min(replaced, (row[to + 1] ?? 0) + 1, (next[to] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

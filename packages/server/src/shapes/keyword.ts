/** What a keyword is: it turns its value in a schema into a check. */
import { isJsonObject, type JsonObject, type JsonValue } from '@holdfast/json';
import type { Pattern } from './pattern.ts';
import { pointerOf } from './pointer.ts';
import type { Place, Resource } from './resource.ts';
import type { Run } from './run.ts';
import { SchemaFault } from './schema-fault.ts';

/** Whether a value fits. Notes what does not. Throws `BudgetSpent`. */
export type Check = (value: JsonValue, run: Run) => boolean;

/** A schema, ready to check values. Its checks come when all of the schema has been compiled. */
export interface CompiledSchema {
  readonly resource: Resource;
  checks: readonly Check[];
  /** Whether it asks what other schemas have looked at. */
  asksEvaluated: boolean;
}

/** What compiles the schemas in a schema. */
export interface Compiler {
  /** Compiles what stands at `path` below a keyword. Throws `SchemaFault`. */
  compile(schema: JsonValue, place: Place): CompiledSchema;
  /** Compiles what a reference leads to; undefined where it leads out of the schema. Throws `SchemaFault`. */
  refer(
    reference: string,
    from: Resource,
  ): { readonly schema: CompiledSchema; readonly fragment: string; readonly resource: Resource } | undefined;
  /** The schema with this dynamic anchor in a resource, if there is one. */
  dynamic(resource: Resource, name: string): CompiledSchema | undefined;
  /** A regular expression. Throws `PatternFault`, and `SchemaFault` when there are too many. */
  pattern(source: string, location: string): Pattern;
}

/** A keyword where it stands. */
export class KeywordPlace {
  readonly compiler: Compiler;
  readonly schema: JsonObject;
  readonly keyword: string;
  readonly place: Place;

  constructor(compiler: Compiler, schema: JsonObject, keyword: string, place: Place) {
    this.compiler = compiler;
    this.schema = schema;
    this.keyword = keyword;
    this.place = place;
  }

  get location(): string {
    return `${this.place.location}${pointerOf([this.keyword])}`;
  }

  fault(message: string): SchemaFault {
    return new SchemaFault(this.location.slice(1), this.keyword, `"${this.keyword}" ${message}`);
  }

  /** The schema at `path` below this keyword. */
  compile(schema: JsonValue, path: readonly (string | number)[] = []): CompiledSchema {
    const { resource } = this.place;
    return this.compiler.compile(schema, { resource, location: `${this.location}${pointerOf(path)}` });
  }

  /** What a keyword beside this one has; undefined when it is not there. */
  beside(keyword: string): KeywordPlace | undefined {
    if (!Object.hasOwn(this.schema, keyword)) return undefined;
    return new KeywordPlace(this.compiler, this.schema, keyword, this.place);
  }

  get value(): JsonValue {
    return this.schema[this.keyword] ?? null;
  }

  /** The value as a whole number that is not negative. */
  count(value: JsonValue): number {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0)
      throw this.fault('must be an integer of at least 0');
    return value;
  }

  list(value: JsonValue): readonly JsonValue[] {
    if (!Array.isArray(value)) throw this.fault('must be an array');
    return value;
  }

  schemas(value: JsonValue): CompiledSchema[] {
    const list = this.list(value);
    if (list.length === 0) throw this.fault('must have at least one schema');
    return list.map((schema, index) => this.compile(schema, [index]));
  }

  members(value: JsonValue): [string, JsonValue][] {
    if (!isJsonObject(value)) throw this.fault('must be an object');
    return Object.entries(value);
  }

  names(value: JsonValue): readonly string[] {
    const names = this.list(value);
    if (!names.every((name) => typeof name === 'string')) throw this.fault('must be an array of strings');
    if (new Set(names).size !== names.length) throw this.fault('must name nothing twice');
    return names;
  }

  text(value: JsonValue): string {
    if (typeof value !== 'string') throw this.fault('must be a string');
    return value;
  }
}

/** Compiles the value of a keyword; undefined where it checks nothing. Throws `SchemaFault`. */
export type Keyword = (value: JsonValue, at: KeywordPlace) => Check | undefined;

/** Whether the value fits the schema. Notes what does not. Throws `BudgetSpent`. */
export function fits(schema: CompiledSchema, value: JsonValue, run: Run): boolean {
  run.enter();
  const { resource, checks } = schema;
  const entered = run.resources.at(-1) !== resource;
  if (entered) run.resources.push(resource);
  const result = schema.asksEvaluated ? run.asking(() => all(checks, value, run)) : all(checks, value, run);
  if (entered) run.resources.pop();
  run.leave();
  return result;
}

function all(checks: readonly Check[], value: JsonValue, run: Run): boolean {
  let result = true;
  for (const check of checks) {
    if (check(value, run)) continue;
    result = false;
    if (run.isSatisfied) break;
  }
  return result;
}

/** A keyword. It is read once, on a worker thread; the result checks values on any thread. */
import { type Filling, type SchemaFaultPattern, schemaFaultMessages } from '@holdfast/contract/messages';
import { isJsonObject, type JsonObject, type JsonValue } from '@holdfast/json';
import type { Check, CompiledSchema } from './compiled.ts';
import type { Pattern } from './pattern.ts';
import { pointerBelow } from './pointer.ts';
import type { Run } from './run.ts';
import { type SchemaFault, schemaFault } from './schema-fault.ts';
import type { Resource, SchemaPosition } from './schema-position.ts';

/** Compiles the subschemas of a schema. */
export interface Compiler {
  /** Compiles the schema at `path` under a keyword. Throws `SchemaFault`. */
  compile(schema: JsonValue, position: SchemaPosition): CompiledSchema;
  /** Compiles the target of a reference; undefined if the target is outside the schema. Throws `SchemaFault`. */
  refer(
    reference: string,
    from: Resource,
  ): { readonly schema: CompiledSchema; readonly fragment: string; readonly resource: Resource } | undefined;
  /** Compiles a regular expression. Throws `SchemaFault`. */
  pattern(source: string, at: KeywordContext): Pattern;
}

/** A keyword in its schema. */
export class KeywordContext {
  readonly compiler: Compiler;
  readonly schema: JsonObject;
  readonly keyword: string;
  readonly position: SchemaPosition;

  constructor(compiler: Compiler, schema: JsonObject, keyword: string, position: SchemaPosition) {
    this.compiler = compiler;
    this.schema = schema;
    this.keyword = keyword;
    this.position = position;
  }

  get location(): string {
    return pointerBelow(this.position.location, [this.keyword]);
  }

  fault<Pattern extends SchemaFaultPattern>(pattern: Pattern, ...parameters: Filling<Pattern, 'keyword'>): SchemaFault {
    return schemaFault(this.location.slice(1), this.keyword, pattern, ...parameters);
  }

  /** The schema at `path` under this keyword. */
  compile(schema: JsonValue, path: readonly (string | number)[] = []): CompiledSchema {
    const { resource } = this.position;
    return this.compiler.compile(schema, { resource, location: pointerBelow(this.location, path) });
  }

  /** Another keyword of the same schema; undefined if it is absent. */
  beside(keyword: string): KeywordContext | undefined {
    if (!Object.hasOwn(this.schema, keyword)) return undefined;
    return new KeywordContext(this.compiler, this.schema, keyword, this.position);
  }

  get value(): JsonValue {
    return this.schema[this.keyword] ?? null;
  }

  /** The value as a non-negative integer. */
  count(value: JsonValue): number {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) throw this.fault(schemaFaultMessages.count);
    return value;
  }

  list(value: JsonValue): readonly JsonValue[] {
    if (!Array.isArray(value)) throw this.fault(schemaFaultMessages.array);
    return value;
  }

  schemas(value: JsonValue): CompiledSchema[] {
    const list = this.list(value);
    if (list.length === 0) throw this.fault(schemaFaultMessages.noSchemas);
    return list.map((schema, index) => this.compile(schema, [index]));
  }

  members(value: JsonValue): [string, JsonValue][] {
    if (!isJsonObject(value)) throw this.fault(schemaFaultMessages.object);
    return Object.entries(value);
  }

  names(value: JsonValue): readonly string[] {
    const names = this.list(value);
    if (!names.every((name) => typeof name === 'string')) throw this.fault(schemaFaultMessages.names);
    if (new Set(names).size !== names.length) throw this.fault(schemaFaultMessages.repeated);
    return names;
  }

  text(value: JsonValue): string {
    if (typeof value !== 'string') throw this.fault(schemaFaultMessages.string);
    return value;
  }
}

/** What holds for a keyword of the draft whatever its value is. */
export interface KeywordNature {
  /** Whether it accepts every object: it checks values of another type. */
  readonly acceptsObjects?: true;
  /** Where its value contains schemas: it is one, or a list or an object of them. */
  readonly subschemas?: 'one' | 'list' | 'members';
  /** Whether its subschemas apply to the same value. */
  readonly isInPlace?: true;
  /** Whether its subschemas apply only where references lead to them. */
  readonly isDefinition?: true;
  /** Whether rules of change in its subschemas hold for every document. */
  readonly keepsRules?: true;
  /**
   * How a patch can break it, other than through its subschemas for single members and items, and those of references and `allOf`: by any
   * value that it writes, or by a name that it adds to an object. Omitted if it cannot.
   */
  readonly brokenBy?: 'value' | 'name';
}

/** Determines whether schemas can refuse some value. */
export interface RefusalSearch {
  /** Whether the checked value is certainly an object. */
  readonly isObject: boolean;
  /** Whether one of the schemas can refuse the checked value. */
  ofSame(schemas: readonly (CompiledSchema | undefined)[]): boolean;
  /** Whether one of the schemas can refuse any value. */
  ofAny(schemas: readonly CompiledSchema[]): boolean;
  /** Whether the schema refuses every value. */
  isNever(schema: CompiledSchema): boolean;
}

/** A keyword of the draft that checks values. */
export interface Keyword<Params extends object = object> extends KeywordNature {
  /**
   * The fixed steps of a check: a number, or a function of the parameters. `holds` charges variable work with `run.spend` before doing it.
   * One step is at most some 100 ns of processor time; cost.slow.test.ts compares the two.
   */
  readonly price: number | ((params: Params) => number);
  /** The parameters from the keyword's value in a schema; undefined if there is nothing to check. Throws `SchemaFault`. */
  read(written: JsonValue, at: KeywordContext): Params | undefined;
  /** Whether a value is valid. Records violations. Throws `BudgetSpent`. */
  holds(value: JsonValue, check: Check<Params>, run: Run): boolean;
  /** Whether it can refuse a value of its type. It may wrongly be true, but never wrongly false. Omitted if it can. */
  canRefuse?(params: Params, search: RefusalSearch): boolean;
}

/** Infers the parameter type from `read`. */
export const keyword = <Params extends object>(each: Keyword<Params>): Keyword => each as unknown as Keyword;

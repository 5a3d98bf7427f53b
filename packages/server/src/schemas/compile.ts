/**
 * Compiles a JSON Schema 2020-12 to plain data that checks values. No code is generated; regular expressions take linear time, numbers are
 * compared exactly, and each evaluation has a budget. No library offers all of this. Compiling may take long, so it runs on worker threads.
 *
 * @see https://json-schema.org/draft/2020-12/json-schema-core
 */
import { schemaFaultMessages } from '@holdfast/contract/messages';
import { isJsonObject, type JsonObject, type JsonValue } from '@holdfast/json';
import { patternInstructionsOfSchemaMax, patternsMax } from './bounds.ts';
import type { Check, CompiledSchema, Scope } from './compiled.ts';
import { refuseCycles } from './cycles.ts';
import { type Compiler, KeywordContext } from './keyword.ts';
import { keywords, neverOperation, newRun } from './keywords.ts';
import { draftUri, draftVocabulary, metaschemas } from './metaschemas.ts';
import type { Pattern } from './pattern.ts';
import { compilePattern, PatternFault } from './pattern-source.ts';
import { Resources } from './resource.ts';
import type { Run } from './run.ts';
import { schemaFault } from './schema-fault.ts';
import type { Resource, SchemaPosition } from './schema-position.ts';

export interface SchemaCompilation {
  readonly written: JsonValue;
  readonly schema: CompiledSchema;
  readonly resources: Resources;
  /** The number of instructions and character ranges in the compiled regular expressions. */
  readonly instructions: number;
  readonly ranges: number;
  /** The number of compiled schemas. */
  readonly schemas: number;
  /** Whether the schema has dynamic references. */
  readonly isDynamic: boolean;
  /** A regular expression of the schema. */
  readonly patternOf: (source: string) => Pattern;
}

/** Compiles a schema. `others` are schemas, by URI, that it may refer to in addition to the schemas of the draft. Throws `SchemaFault`. */
export function compileSchema(schema: JsonValue, others: Readonly<Record<string, JsonValue>> = {}): SchemaCompilation {
  const compiler = new SchemaCompiler(others);
  const compiled = compiler.compileAll(schema);
  const { resources, instructions, ranges, schemas, isDynamic } = compiler;
  const patternOf = (source: string) => compiler.knownPattern(source);
  return { written: schema, schema: compiled, resources, instructions, ranges, schemas, isDynamic, patternOf };
}

class SchemaCompiler implements Compiler {
  readonly resources: Resources;
  readonly #others: Map<string, JsonValue>;
  readonly #compiled = new Map<JsonObject, CompiledSchema>();
  readonly #scopes = new Map<Resource, Scope>();
  readonly #pending: JsonObject[] = [];
  readonly #patterns = new Map<string, Pattern>();
  instructions = 0;
  ranges = 0;
  isDynamic = false;

  constructor(others: Readonly<Record<string, JsonValue>>) {
    this.#others = new Map(Object.entries({ ...metaschemas, ...others }));
    this.resources = new Resources((uri) => this.#vocabulariesOf(uri));
  }

  get schemas(): number {
    return this.#compiled.size;
  }

  compileAll(schema: JsonValue): CompiledSchema {
    const resource = this.resources.add(schema);
    const compiled = this.compile(schema, { resource, location: '#' });
    // A loop instead of recursion, because references can be nested to any depth. A referenced schema joins the end of the list.
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) this.#fill(next);
    refuseCycles(this.#compiled.keys(), this.resources);
    return compiled;
  }

  compile(schema: JsonValue, position: SchemaPosition): CompiledSchema {
    if (typeof schema === 'boolean') {
      const refusal = { operation: neverOperation, location: position.location };
      return { scope: this.#scopeOf(position.resource), checks: schema ? [] : [refusal], price: 1, asksEvaluated: false };
    }
    if (!isJsonObject(schema)) throw schemaFault(position.location.slice(1), 'type', schemaFaultMessages.notSchema);
    const known = this.#compiled.get(schema);
    if (known !== undefined) return known;
    const { resource } = this.resources.positionOf(schema);
    const compiled: CompiledSchema = { scope: this.#scopeOf(resource), checks: [], price: 1, asksEvaluated: false };
    this.#compiled.set(schema, compiled);
    this.#pending.push(schema);
    return compiled;
  }

  refer(reference: string, from: Resource) {
    const found = this.resources.find(reference, from) ?? this.#findOther(reference, from);
    if (found === undefined) return undefined;
    const { target, resource, fragment } = found;
    return { schema: this.compile(target, { resource, location: resource.location }), fragment, resource };
  }

  pattern(source: string, at: KeywordContext): Pattern {
    const known = this.#patterns.get(source);
    if (known !== undefined) return known;
    const pattern = compiledPattern(source, at);
    this.#patterns.set(source, pattern);
    this.instructions += pattern.opcodes.length;
    this.ranges += pattern.classes.reduce((sum, { length }) => sum + length / 2, 0);
    if (this.#patterns.size > patternsMax || this.instructions > patternInstructionsOfSchemaMax)
      throw schemaFault(at.location.slice(1), 'budget', schemaFaultMessages.patterns);
    return pattern;
  }

  /** A compiled regular expression. */
  knownPattern(source: string): Pattern {
    const pattern = this.#patterns.get(source);
    if (pattern === undefined) throw new Error('a regular expression has not been compiled');
    return pattern;
  }

  #scopeOf(resource: Resource): Scope {
    let scope = this.#scopes.get(resource);
    if (scope === undefined) {
      scope = { dynamic: new Map(), isPartial: resource.vocabularies !== undefined };
      this.#scopes.set(resource, scope);
    }
    return scope;
  }

  /** Loads a known schema when a reference first names it. */
  #findOther(reference: string, from: Resource) {
    const uri = URL.parse(reference, from.uri)?.href.replace(/#.*$/s, '');
    const other = uri === undefined ? undefined : this.#others.get(uri);
    if (uri === undefined || other === undefined) return undefined;
    this.#others.delete(uri);
    this.resources.add(other, uri);
    return this.resources.find(reference, from);
  }

  #fill(schema: JsonObject): void {
    const compiled = this.#compiled.get(schema);
    if (compiled === undefined) return;
    const position = this.resources.positionOf(schema);
    const used = position.resource.vocabularies;
    const checks: Check[] = [];
    for (const [operation, { name, keyword, vocabulary }] of keywords.entries()) {
      const isUsed = used === undefined || vocabulary === 'core' || used.has(draftVocabulary(vocabulary));
      if (!isUsed || !Object.hasOwn(schema, name)) continue;
      const at = new KeywordContext(this, schema, name, position);
      const params = keyword.read(schema[name] ?? null, at);
      if (name === '$dynamicRef') this.isDynamic = true;
      if (vocabulary === 'unevaluated') compiled.asksEvaluated = true;
      if (params === undefined) continue;
      checks.push({ ...params, operation, location: at.location });
      compiled.price += typeof keyword.price === 'number' ? keyword.price : keyword.price(params);
    }
    compiled.checks = checks;
    // An evaluation may reach a dynamic anchor from another resource.
    for (const [name, dynamic] of position.resource.dynamicAnchors)
      compiled.scope.dynamic.set(name, this.compile(dynamic, position));
  }

  #vocabulariesOf(uri: string): ReadonlySet<string> | undefined {
    if (uri.replace(/#$/, '') === draftUri) return undefined;
    const metaschema = this.#others.get(uri);
    if (!isJsonObject(metaschema)) throw schemaFault('/$schema', '$schema', schemaFaultMessages.draft, { draft: draftUri });
    return new Set(Object.keys(isJsonObject(metaschema.$vocabulary) ? metaschema.$vocabulary : {}));
  }
}

function compiledPattern(source: string, at: KeywordContext): Pattern {
  try {
    return compilePattern(source);
  } catch (error) {
    if (error instanceof PatternFault) throw at.fault(schemaFaultMessages.pattern, { reason: error.message });
    throw error;
  }
}

/** Whether the value is valid. `run` holds the violations. Throws `BudgetSpent`. */
export const check = ({ schema }: SchemaCompilation, value: JsonValue, run: Run = newRun()): boolean =>
  run.fits(schema, value);

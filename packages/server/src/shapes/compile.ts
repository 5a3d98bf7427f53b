/**
 * From a JSON Schema 2020-12 to functions. No code is generated, so a schema can be compiled on every thread; regular expressions take
 * linear time, numbers are compared exactly, and each evaluation has a budget. No library has all four.
 *
 * @see https://json-schema.org/draft/2020-12/json-schema-core
 */
import { isJsonObject, type JsonObject, type JsonValue } from '@holdfast/json';
import { patternInstructionsOfSchemaMax, patternsMax } from './bounds.ts';
import { refuseCycles } from './cycles.ts';
import { type Check, type CompiledSchema, type Compiler, fits, type Keyword, KeywordPlace } from './keyword.ts';
import { arrayKeywords, unevaluatedItems } from './keywords/arrays.ts';
import { inPlaceKeywords } from './keywords/in-place.ts';
import { objectKeywords, unevaluatedProperties } from './keywords/objects.ts';
import { valueKeywords } from './keywords/values.ts';
import { draftUri, draftVocabulary, metaschemas } from './metaschemas.ts';
import { Pattern } from './pattern.ts';
import { type Place, type Resource, Resources } from './resource.ts';
import { Run } from './run.ts';
import { SchemaFault } from './schema-fault.ts';

/** The keywords of each vocabulary, in the order in which they are checked. Those that ask what others have looked at come last. */
const vocabularies: readonly (readonly [string, Readonly<Record<string, Keyword>>])[] = [
  ['validation', valueKeywords],
  ['applicator', objectKeywords],
  ['applicator', arrayKeywords],
  ['applicator', inPlaceKeywords],
  ['unevaluated', { unevaluatedProperties, unevaluatedItems }],
];
/** These are of the core, which every schema has. */
const coreKeywords = ['$ref', '$dynamicRef'];

const keywords = vocabularies.flatMap(([vocabulary, ofVocabulary]) =>
  Object.entries(ofVocabulary).map(([name, keyword]) => ({
    name,
    keyword,
    vocabulary: coreKeywords.includes(name) ? 'core' : draftVocabulary(vocabulary),
    asksEvaluated: vocabulary === 'unevaluated',
  })),
);

export interface SchemaCompilation {
  readonly written: JsonValue;
  readonly schema: CompiledSchema;
  readonly resources: Resources;
  /** What its regular expressions compile to. */
  readonly instructions: number;
  /** Whether it has dynamic references. */
  readonly isDynamic: boolean;
  /** The compiled form of a schema in it; undefined where nothing leads there. */
  readonly compiledOf: (schema: JsonObject) => CompiledSchema | undefined;
  /** A regular expression of the schema. */
  readonly patternOf: (source: string) => Pattern;
}

/**
 * Compiles a schema. `others` are schemas that it may refer to by their URIs, beside those of the draft. Throws `SchemaFault`.
 */
export function compileSchema(schema: JsonValue, others: Readonly<Record<string, JsonValue>> = {}): SchemaCompilation {
  const compiler = new SchemaCompiler(others);
  const compiled = compiler.compileAll(schema);
  const { resources, instructions, isDynamic } = compiler;
  return {
    written: schema,
    schema: compiled,
    resources,
    instructions,
    isDynamic,
    compiledOf: (part) => compiler.known(part),
    patternOf: (source) => compiler.pattern(source, '#'),
  };
}

class SchemaCompiler implements Compiler {
  readonly resources: Resources;
  readonly #others: Map<string, JsonValue>;
  readonly #compiled = new Map<JsonObject, CompiledSchema>();
  readonly #pending: JsonObject[] = [];
  readonly #patterns = new Map<string, Pattern>();
  instructions = 0;
  isDynamic = false;

  constructor(others: Readonly<Record<string, JsonValue>>) {
    this.#others = new Map(Object.entries({ ...metaschemas, ...others }));
    this.resources = new Resources((uri) => this.#vocabulariesOf(uri));
  }

  compileAll(schema: JsonValue): CompiledSchema {
    const resource = this.resources.add(schema);
    const compiled = this.compile(schema, { resource, location: '#' });
    // Not by recursion: schemas refer to each other in any depth. What is referred to joins the end of the list.
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) this.#fill(next);
    refuseCycles(this.#compiled.keys(), this.resources);
    return compiled;
  }

  compile(schema: JsonValue, place: Place): CompiledSchema {
    if (typeof schema === 'boolean')
      return { resource: place.resource, checks: schema ? [] : [never(place)], asksEvaluated: false };
    if (!isJsonObject(schema))
      throw new SchemaFault(place.location.slice(1), 'type', 'a schema must be an object or a boolean');
    const known = this.#compiled.get(schema);
    if (known !== undefined) return known;
    const compiled: CompiledSchema = {
      resource: this.resources.placeOf(schema).resource,
      checks: [],
      asksEvaluated: false,
    };
    this.#compiled.set(schema, compiled);
    this.#pending.push(schema);
    return compiled;
  }

  /** The compiled form of a schema, if there is one. */
  known(schema: JsonObject): CompiledSchema | undefined {
    return this.#compiled.get(schema);
  }

  refer(reference: string, from: Resource) {
    const found = this.resources.find(reference, from) ?? this.#findOther(reference, from);
    if (found === undefined) return undefined;
    const { target, resource, fragment } = found;
    return { schema: this.compile(target, { resource, location: resource.location }), fragment, resource };
  }

  dynamic(resource: Resource, name: string): CompiledSchema | undefined {
    const schema = resource.dynamicAnchors.get(name);
    if (!isJsonObject(schema)) return undefined;
    return this.#compiled.get(schema);
  }

  pattern(source: string, location: string): Pattern {
    const known = this.#patterns.get(source);
    if (known !== undefined) return known;
    const pattern = new Pattern(source);
    this.#patterns.set(source, pattern);
    this.instructions += pattern.instructions;
    if (this.#patterns.size > patternsMax || this.instructions > patternInstructionsOfSchemaMax) {
      throw new SchemaFault(location.slice(1), 'budget', 'the schema has too many or too large regular expressions');
    }
    return pattern;
  }

  /** A reference may name a schema that is known but has not been needed before. */
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
    const place = this.resources.placeOf(schema);
    const used = place.resource.vocabularies;
    const checks: Check[] = [];
    for (const { name, keyword, vocabulary, asksEvaluated } of keywords) {
      const isUsed = used === undefined || vocabulary === 'core' || used.has(vocabulary);
      if (!isUsed || !Object.hasOwn(schema, name)) continue;
      const check = keyword(schema[name] ?? null, new KeywordPlace(this, schema, name, place));
      if (check !== undefined) checks.push(check);
      if (name === '$dynamicRef') this.isDynamic = true;
      if (asksEvaluated && compiled !== undefined) compiled.asksEvaluated = true;
    }
    if (compiled !== undefined) compiled.checks = checks;
    // An evaluation may come to it from elsewhere.
    for (const dynamic of place.resource.dynamicAnchors.values()) this.compile(dynamic, place);
  }

  #vocabulariesOf(uri: string): ReadonlySet<string> | undefined {
    if (uri.replace(/#$/, '') === draftUri) return undefined;
    const metaschema = this.#others.get(uri);
    if (!isJsonObject(metaschema))
      throw new SchemaFault('/$schema', '$schema', `"$schema" must be "${draftUri}" or left out`);
    return new Set(Object.keys(isJsonObject(metaschema.$vocabulary) ? metaschema.$vocabulary : {}));
  }
}

const never =
  ({ location }: Place): Check =>
  (_, run) =>
    run.violation('false', location, 'must not be there');

/** Whether the value fits. What does not is in `run`. Throws `BudgetSpent`. */
export const check = ({ schema }: SchemaCompilation, value: JsonValue, run: Run = new Run()): boolean =>
  fits(schema, value, run);

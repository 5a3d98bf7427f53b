/**
 * Judges a patch by the values that it has written, without looking at the rest of the document. That is enough where the document fitted
 * before, and every schema on the way from the root to a written value looks at its members and items one by one. Where a schema on the way
 * looks at the value as a whole (`anyOf`, `uniqueItems` and so on), nothing can be told.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '@holdfast/json';
import { checkChange } from './change.ts';
import type { SchemaCompilation } from './compile.ts';
import { fits } from './keyword.ts';
import { pointerOf } from './pointer.ts';
import type { RuleNode } from './rules.ts';
import type { Run } from './run.ts';

/** A value that a patch has written. */
export interface Touched {
  /** The names and indexes that lead to it. */
  readonly path: readonly string[];
  readonly value: JsonValue;
  /** The value that was there before; undefined: none. Left out where nobody needs it. */
  readonly before?: JsonValue | undefined;
  /** Whether a member was added that was not there. */
  readonly isNew: boolean;
}

/** Keywords that look at an array or object as a whole, or beyond its members and items. */
const wholeKeywords =
  '$dynamicRef anyOf oneOf not if const enum contains uniqueItems dependentSchemas unevaluatedProperties unevaluatedItems';
/** Those that look at the names of an object. */
const nameKeywords = 'maxProperties propertyNames dependentRequired';
const hasAnyOf = (names: string) => {
  const keywords = names.split(' ');
  return (schema: JsonObject): boolean => keywords.some((keyword) => Object.hasOwn(schema, keyword));
};
const looksAtWhole = hasAnyOf(wholeKeywords);
const looksAtNames = hasAnyOf(nameKeywords);

/** A part of a path is the name of a member, or may be an index. */
const isIndex = (part: string): boolean => part === '-' || /^(?:0|[1-9]\d*)$/.test(part);

/** A schema that holds at a place, and the way to it. */
interface Held {
  readonly schema: JsonValue;
  /** Where it stands, for one that nothing fits. */
  readonly location: string;
  /** For each part of the path whether the schemas name it. */
  readonly isNamed: readonly boolean[];
}

/** What a schema says about where its parts are: computed once. */
interface Known {
  readonly isWhole: boolean;
  readonly limitsNames: boolean;
  readonly isArray: boolean | undefined;
  /** Schemas for the same value. */
  readonly also: readonly JsonValue[];
}

/** What is found on the way to a touched value. */
interface Way {
  readonly held: readonly Held[];
  readonly ruled: readonly { readonly node: RuleNode; readonly isNamed: readonly boolean[] }[];
}

export class TouchedJudge {
  readonly #compilation: SchemaCompilation;
  readonly #rules: RuleNode | undefined;
  readonly #known = new Map<JsonObject, Known>();

  constructor(compilation: SchemaCompilation, rules: RuleNode | undefined) {
    this.#compilation = compilation;
    this.#rules = rules;
  }

  /**
   * Notes in `run` what does not fit of a document that fitted before. Returns whether that can be told: where not, nothing was noted.
   * `byPlayer` holds the rules of change, too. Throws `BudgetSpent`.
   */
  judge(touched: readonly Touched[], byPlayer: boolean, run: Run): boolean {
    // What a dynamic reference means depends on the way of the whole evaluation.
    if (this.#compilation.isDynamic) return false;
    const rules = byPlayer ? this.#rules : undefined;
    const ways: Way[] = [];
    for (const one of touched) {
      const way = this.#wayTo(one, rules, run);
      if (way === undefined) return false;
      ways.push(way);
    }
    for (const [index, { path, value, before }] of touched.entries()) {
      const way = ways[index];
      for (const one of way?.held ?? []) at(path, one.isNamed, run, () => this.#check(one, value, run));
      for (const { node, isNamed } of way?.ruled ?? []) {
        at(path, isNamed, run, () => checkChange(node, before, value, run));
      }
    }
    return true;
  }

  #check({ schema, location }: Held, value: JsonValue, run: Run): void {
    if (schema === false) run.violation('false', location, 'must not be there');
    const compiled = isJsonObject(schema) ? this.#compilation.compiledOf(schema) : undefined;
    if (compiled !== undefined) fits(compiled, value, run);
  }

  /** The schemas and rules that hold at a touched value; undefined where one on the way looks at more than that. */
  #wayTo({ path, isNew }: Touched, rules: RuleNode | undefined, run: Run): Way | undefined {
    let held: readonly Held[] = [{ schema: this.#compilation.written, location: '#', isNamed: [] }];
    let ruled: Way['ruled'] = rules === undefined ? [] : [{ node: rules, isNamed: [] }];
    for (const [depth, part] of path.entries()) {
      const all = this.#withOthers(held);
      if (all === undefined) return undefined;
      const isLast = depth === path.length - 1;
      if (isLast && isNew && all.some(({ known }) => known?.limitsNames)) return undefined;
      const isArray = isIndex(part) ? all.find(({ known }) => known?.isArray !== undefined)?.known?.isArray : false;
      if (isArray === undefined || (isArray && part === '-') || (isArray && isLast && isNew)) return undefined;
      const nodes = withReferred(ruled);
      if (nodes.some(({ node }) => node.rules !== undefined)) return undefined;
      held = all.flatMap((one) => this.#below(one, part, isArray, run));
      ruled = nodes.flatMap((one) => rulesBelow(one, part, isArray, run));
    }
    return { held, ruled };
  }

  /** The schemas, and those that they refer to or combine; undefined when one looks at the value as a whole. */
  #withOthers(held: readonly Held[]): readonly (Held & { readonly known: Known | undefined })[] | undefined {
    const found: (Held & { readonly known: Known | undefined })[] = [];
    const waiting = [...held];
    const seen = new Set<JsonValue>();
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { schema, location, isNamed } = next;
      if (seen.has(schema)) continue;
      seen.add(schema);
      const known = isJsonObject(schema) ? this.#knownOf(schema) : undefined;
      if (known?.isWhole) return undefined;
      found.push({ schema, location, isNamed, known });
      for (const also of known?.also ?? []) waiting.push({ schema: also, location, isNamed });
    }
    return found;
  }

  #knownOf(schema: JsonObject): Known {
    let known = this.#known.get(schema);
    if (known === undefined) {
      known = this.#read(schema);
      this.#known.set(schema, known);
    }
    return known;
  }

  #read(schema: JsonObject): Known {
    const { $ref, allOf, type } = schema;
    const { resources } = this.#compilation;
    const { resource } = resources.placeOf(schema);
    const target = typeof $ref === 'string' ? resources.find($ref, resource)?.target : undefined;
    const isArray = type === 'array' ? true : type === 'object' ? false : undefined;
    return {
      isWhole: looksAtWhole(schema) || resource.vocabularies !== undefined,
      limitsNames: looksAtNames(schema),
      isArray,
      also: [...(target === undefined ? [] : [target]), ...(Array.isArray(allOf) ? allOf : [])],
    };
  }

  /** The schemas for a member or an item. */
  #below({ schema, isNamed }: Held, part: string, isArray: boolean, run: Run): Held[] {
    if (!isJsonObject(schema)) return [];
    const held = (below: JsonValue, keyword: readonly (string | number)[], isKnown = false): Held => ({
      schema: below,
      location: below === false ? `${this.#compilation.resources.placeOf(schema).location}${pointerOf(keyword)}` : '',
      isNamed: [...isNamed, isKnown],
    });
    if (isArray) {
      const { prefixItems, items } = schema;
      const prefix = Array.isArray(prefixItems) ? prefixItems : [];
      const index = Number(part);
      if (index < prefix.length) return [held(prefix[index] ?? null, ['prefixItems', index])];
      return items === undefined ? [] : [held(items, ['items'])];
    }
    const { properties, patternProperties, additionalProperties } = schema;
    const found: Held[] = [];
    if (isJsonObject(properties) && Object.hasOwn(properties, part))
      found.push(held(properties[part] ?? null, ['properties', part], true));
    for (const [source, below] of isJsonObject(patternProperties) ? Object.entries(patternProperties) : []) {
      if (this.#compilation.patternOf(source).isIn(part, run)) found.push(held(below, ['patternProperties', source]));
    }
    if (found.length === 0 && additionalProperties !== undefined)
      found.push(held(additionalProperties, ['additionalProperties']));
    return found;
  }
}

function withReferred(ruled: Way['ruled']): Way['ruled'] {
  const found: { node: RuleNode; isNamed: readonly boolean[] }[] = [];
  for (const { node, isNamed } of ruled) {
    for (let each: RuleNode | undefined = node; each !== undefined; each = each.referred) {
      if (found.some((one) => one.node === each)) break;
      found.push({ node: each, isNamed });
    }
  }
  return found;
}

function rulesBelow({ node, isNamed }: Way['ruled'][number], part: string, isArray: boolean, run: Run): Way['ruled'] {
  const ruled = (below: RuleNode | undefined, isKnown: boolean) =>
    below === undefined ? [] : [{ node: below, isNamed: [...isNamed, isKnown] }];
  if (isArray) return ruled(Number(part) < node.prefix.length ? node.prefix[Number(part)] : node.items, false);
  if (node.names.has(part)) return ruled(node.properties.get(part), true);
  return node.patterns.some((pattern) => pattern.isIn(part, run)) ? [] : ruled(node.others, false);
}

/** Does something at a place of the document. */
function at(path: readonly string[], isNamed: readonly boolean[], run: Run, work: () => unknown): void {
  for (const [depth, part] of path.entries()) run.down(part, isNamed[depth] ?? false);
  work();
  for (const _ of path) run.up(undefined);
}

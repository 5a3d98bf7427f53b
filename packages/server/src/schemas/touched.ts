/**
 * Validates a patch by checking only the values that it wrote. That is enough if the document was valid before and every schema on the path
 * from the root to a written value checks members and items one by one. If a schema on the path checks the value as a whole (`anyOf`,
 * `uniqueItems` and so on), the result is unknown.
 */
import type { JsonValue } from '@holdfast/json';
import { checkChange } from './change.ts';
import type { CompiledSchema } from './compiled.ts';
import { isOther } from './keywords/objects.ts';
import { checkOf, type KeywordName, keywords } from './keywords.ts';
import { isIn, type Pattern } from './pattern.ts';
import type { RuleNode } from './rules.ts';
import type { Run } from './run.ts';

/** A value that a patch has written. */
export interface Touched {
  /** The names and indexes that lead to the value. */
  readonly path: readonly string[];
  readonly value: JsonValue;
  /** The previous value; undefined if there was none. Omitted if not needed. */
  readonly before?: JsonValue | undefined;
  /** Whether a new member was added. */
  readonly isNew: boolean;
}

/** Whether a patch below a value can break a check of the schema in this way. */
const isBrokenBy = ({ checks }: CompiledSchema, cause: 'value' | 'name'): boolean =>
  checks.some(({ operation }) => keywords[operation]?.keyword.brokenBy === cause);

/** Whether a part of a path may be an index. */
const isIndex = (part: string): boolean => part === '-' || /^(?:0|[1-9]\d*)$/.test(part);

/** A schema that applies at a position, and the path to it. */
interface AppliedSchema {
  readonly schema: CompiledSchema;
  /** For each part of the path, whether the schemas name it. */
  readonly isNamed: readonly boolean[];
}

/** Rules that apply at a position, and the path to them. */
interface AppliedRules {
  readonly node: RuleNode;
  readonly isNamed: readonly boolean[];
}

/** A schema's subschemas by position, computed once. */
interface Known {
  readonly isWhole: boolean;
  readonly limitsNames: boolean;
  readonly isArray: boolean | undefined;
  /** Schemas for the same value. */
  readonly also: readonly CompiledSchema[];
  /** Schemas for named members, for members that match a pattern, and for all remaining members. */
  readonly named: ReadonlyMap<string, CompiledSchema>;
  readonly matched: readonly Matched[];
  readonly others: CompiledSchema | undefined;
  /** Schemas for the first items, and for the remaining items. */
  readonly prefix: readonly CompiledSchema[];
  readonly items: CompiledSchema | undefined;
}

interface Matched {
  readonly pattern: Pattern;
  readonly schema: CompiledSchema;
}

/** The findings on the path to a touched value. */
interface PathFindings {
  readonly schemas: readonly AppliedSchema[];
  readonly rules: readonly AppliedRules[];
}

/** Steps charged for each schema on the path, and for each path part of a schema that applies at its end. */
const stepsOfSchemaOnPath = 6;
const stepsOfPart = 0.5;

export class TouchedValidator {
  readonly #root: CompiledSchema;
  readonly #isDynamic: boolean;
  readonly #rules: RuleNode | undefined;
  readonly #known = new Map<CompiledSchema, Known>();

  constructor(root: CompiledSchema, isDynamic: boolean, rules: RuleNode | undefined) {
    this.#root = root;
    this.#isDynamic = isDynamic;
    this.#rules = rules;
  }

  /**
   * Records in `run` the violations of a document that was valid before. Returns whether the result is known; if not, nothing was recorded.
   * `byPlayer` also applies the rules of change. Throws `BudgetSpent`.
   */
  validate(touched: readonly Touched[], byPlayer: boolean, run: Run): boolean {
    // The meaning of a dynamic reference depends on the whole evaluation.
    if (this.#isDynamic) return false;
    const rules = byPlayer ? this.#rules : undefined;
    const allFindings: PathFindings[] = [];
    for (const one of touched) {
      const findings = this.#pathTo(one, rules, run);
      if (findings === undefined) return false;
      allFindings.push(findings);
    }
    for (const [index, { path, value, before }] of touched.entries()) {
      const findings = allFindings[index];
      for (const { schema, isNamed } of findings?.schemas ?? []) at(path, isNamed, run, () => run.fits(schema, value));
      for (const { node, isNamed } of findings?.rules ?? []) {
        at(path, isNamed, run, () => checkChange(node, before, value, run));
      }
    }
    return true;
  }

  /** The schemas and rules that apply to a touched value; undefined if a schema on the path checks more than that value. */
  #pathTo({ path, isNew }: Touched, ruleRoot: RuleNode | undefined, run: Run): PathFindings | undefined {
    let schemas: readonly AppliedSchema[] = [{ schema: this.#root, isNamed: [] }];
    let rules: readonly AppliedRules[] = ruleRoot === undefined ? [] : [{ node: ruleRoot, isNamed: [] }];
    for (const [depth, part] of path.entries()) {
      const all = this.#withOthers(schemas, run);
      if (all === undefined) return undefined;
      const isLast = depth === path.length - 1;
      if (isLast && isNew && all.some(({ known }) => known.limitsNames)) return undefined;
      const isArray = isIndex(part) ? all.find(({ known }) => known.isArray !== undefined)?.known.isArray : false;
      if (isArray === undefined || (isArray && part === '-') || (isArray && isLast && isNew)) return undefined;
      const nodes = withReferred(rules, run);
      if (nodes.some(({ node }) => node.rules !== undefined)) return undefined;
      schemas = all.flatMap(({ known, isNamed }) => schemasBelow(known, isNamed, part, isArray, run));
      rules = nodes.flatMap((one) => rulesBelow(one, part, isArray, run));
    }
    return { schemas, rules };
  }

  /** The schemas, with all schemas that they refer to or combine; undefined if any of them checks the value as a whole. */
  #withOthers(
    schemas: readonly AppliedSchema[],
    run: Run,
  ): readonly (AppliedSchema & { readonly known: Known })[] | undefined {
    const found: (AppliedSchema & { readonly known: Known })[] = [];
    const waiting = [...schemas];
    const seen = new Set<CompiledSchema>();
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { schema, isNamed } = next;
      run.spend(stepsOfSchemaOnPath + stepsOfPart * isNamed.length);
      if (seen.has(schema)) continue;
      seen.add(schema);
      const known = this.#knownOf(schema, run);
      if (known.isWhole) return undefined;
      found.push({ schema, isNamed, known });
      for (const also of known.also) waiting.push({ schema: also, isNamed });
    }
    return found;
  }

  #knownOf(schema: CompiledSchema, run: Run): Known {
    let known = this.#known.get(schema);
    if (known === undefined) {
      run.spend(schema.price + stepsOfSchemaOnPath);
      known = knownOf(schema);
      this.#known.set(schema, known);
    }
    return known;
  }
}

function knownOf(schema: CompiledSchema): Known {
  const one = (name: KeywordName) => checkOf<{ readonly schema: CompiledSchema }>(schema, name)?.schema;
  const many = (name: KeywordName) => checkOf<{ readonly schemas: readonly CompiledSchema[] }>(schema, name)?.schemas ?? [];
  const named = checkOf<{ readonly schemas: readonly [string, CompiledSchema][] }>(schema, 'properties');
  const matched = checkOf<{ readonly schemas: readonly Matched[] }>(schema, 'patternProperties');
  const types = checkOf<{ readonly names: readonly string[] }>(schema, 'type')?.names ?? [];
  const [type] = types.length === 1 ? types : [];
  const referred = one('$ref');
  return {
    isWhole: isBrokenBy(schema, 'value') || schema.scope.isPartial,
    limitsNames: isBrokenBy(schema, 'name'),
    isArray: type === 'array' ? true : type === 'object' ? false : undefined,
    also: [...(referred === undefined ? [] : [referred]), ...many('allOf')],
    named: new Map(named?.schemas),
    matched: matched?.schemas ?? [],
    others: one('additionalProperties'),
    prefix: many('prefixItems'),
    items: one('items'),
  };
}

/** The schemas for a member or an item. */
function schemasBelow(
  known: Known,
  isNamed: readonly boolean[],
  part: string,
  isArray: boolean,
  run: Run,
): AppliedSchema[] {
  const applied = (schema: CompiledSchema | undefined, isKnown = false): AppliedSchema[] =>
    schema === undefined ? [] : [{ schema, isNamed: [...isNamed, isKnown] }];
  if (isArray) return applied(Number(part) < known.prefix.length ? known.prefix[Number(part)] : known.items);
  const found = applied(known.named.get(part), true);
  for (const { pattern, schema } of known.matched) if (isIn(pattern, part, run)) found.push(...applied(schema));
  return found.length === 0 ? applied(known.others) : found;
}

function withReferred(rules: readonly AppliedRules[], run: Run): readonly AppliedRules[] {
  const found = new Map<RuleNode, AppliedRules>();
  for (const { node, isNamed } of rules) {
    for (let each: RuleNode | undefined = node; each !== undefined && !found.has(each); each = each.referred) {
      run.spend(stepsOfSchemaOnPath + stepsOfPart * isNamed.length);
      found.set(each, { node: each, isNamed });
    }
  }
  return [...found.values()];
}

function rulesBelow({ node, isNamed }: AppliedRules, part: string, isArray: boolean, run: Run): readonly AppliedRules[] {
  const applied = (below: RuleNode | undefined, isKnown: boolean) =>
    below === undefined ? [] : [{ node: below, isNamed: [...isNamed, isKnown] }];
  if (isArray) return applied(Number(part) < node.prefix.length ? node.prefix[Number(part)] : node.items, false);
  if (node.names.has(part)) return applied(node.properties.get(part), true);
  return isOther(node, part, run) ? applied(node.others, false) : [];
}

/** Works at a position of the document. */
function at(path: readonly string[], isNamed: readonly boolean[], run: Run, work: () => unknown): void {
  run.spend(stepsOfPart * path.length);
  for (const [depth, part] of path.entries()) run.down(part, isNamed[depth] ?? false);
  work();
  for (const _ of path) run.up(undefined);
}

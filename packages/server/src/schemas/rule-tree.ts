/** Finds the rules of change in a schema, and rejects rules that a write could escape. */
import { schemaFaultMessages } from '@holdfast/contract/messages';
import { isJsonObject, type JsonObject, type JsonValue } from '@holdfast/json';
import type { SchemaCompilation } from './compile.ts';
import type { Pattern } from './pattern.ts';
import { pointerBelow } from './pointer.ts';
import type { Resources } from './resource.ts';
import { type RuleNode, readRules, ruleFault, ruleNamesIn } from './rules.ts';
import { schemaFault } from './schema-fault.ts';
import { schemasIn } from './subschemas.ts';

/**
 * Returns the rules of a schema; undefined if it has none. Throws `SchemaFault` for a rule that has the wrong type or does not hold for
 * every document.
 */
export function ruleTreeOf({ written: schema, resources, patternOf }: SchemaCompilation): RuleNode | undefined {
  if (!isJsonObject(schema)) return undefined;
  const ruledSchemas = [...schemasWithRules(schema, '#')];
  if (ruledSchemas.length === 0) return undefined;
  const tree = new RuleTree(resources, patternOf);
  const root = tree.build(schema);
  const escaped = conditional(schema, resources);
  for (const { schema: ruled, location } of ruledSchemas) {
    const [name] = ruleNamesIn(ruled);
    if (name === undefined || (tree.schemas.has(ruled) && !escaped.has(ruled))) continue;
    throw schemaFault(pointerBelow(location, [name]).slice(1), name, schemaFaultMessages.escapable);
  }
  return root;
}

function* schemasWithRules(schema: JsonObject, location: string): Generator<{ schema: JsonObject; location: string }> {
  const ruleNames = ruleNamesIn(schema);
  for (const name of ruleNames) {
    const fault = ruleFault(name, schema[name]);
    if (fault !== undefined) throw schemaFault(pointerBelow(location, [name]).slice(1), name, fault);
  }
  if (ruleNames.length > 0) yield { schema, location };
  for (const { path, child } of schemasIn(schema)) {
    if (isJsonObject(child)) yield* schemasWithRules(child, pointerBelow(location, path));
  }
}

class RuleTree {
  readonly #resources: Resources;
  readonly #patternOf: (source: string) => Pattern;
  readonly #nodes = new Map<JsonObject, RuleNode>();
  readonly #waiting: [JsonObject, RuleNode][] = [];

  constructor(resources: Resources, patternOf: (source: string) => Pattern) {
    this.#resources = resources;
    this.#patternOf = patternOf;
  }

  /** The schemas in the tree. */
  get schemas(): ReadonlyMap<JsonObject, RuleNode> {
    return this.#nodes;
  }

  build(root: JsonObject): RuleNode {
    const node = this.#nodeOf(root);
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) this.#fill(...next);
    prune([...this.#nodes.values()]);
    return node;
  }

  #nodeOf(schema: JsonObject): RuleNode {
    const known = this.#nodes.get(schema);
    if (known !== undefined) return known;
    const { properties, patternProperties } = schema;
    const node: RuleNode = {
      rules: readRules(schema, this.#resources.positionOf(schema).location),
      referred: undefined,
      properties: new Map(),
      others: undefined,
      names: new Set(isJsonObject(properties) ? Object.keys(properties) : []),
      patterns: isJsonObject(patternProperties) ? Object.keys(patternProperties).map(this.#patternOf) : [],
      prefix: [],
      items: undefined,
    };
    this.#nodes.set(schema, node);
    this.#waiting.push([schema, node]);
    return node;
  }

  #below(schema: JsonValue | undefined): RuleNode | undefined {
    return isJsonObject(schema) ? this.#nodeOf(schema) : undefined;
  }

  #fill(schema: JsonObject, node: RuleNode): void {
    const { properties, prefixItems, additionalProperties, items } = schema;
    node.referred = this.#below(localTarget(schema, this.#resources));
    for (const [name, member] of Object.entries(isJsonObject(properties) ? properties : {})) {
      const below = this.#below(member);
      if (below !== undefined) node.properties.set(name, below);
    }
    node.others = this.#below(additionalProperties);
    node.prefix.push(...(Array.isArray(prefixItems) ? prefixItems : []).map((item) => this.#below(item)));
    node.items = this.#below(items);
  }
}

/** Removes nodes that do not lead to a rule. */
function prune(nodes: readonly RuleNode[]): void {
  const leadTo = new Map<RuleNode, RuleNode[]>();
  for (const node of nodes) {
    for (const next of [node.referred, node.others, node.items, ...node.prefix, ...node.properties.values()]) {
      if (next === undefined) continue;
      const before = leadTo.get(next);
      if (before === undefined) leadTo.set(next, [node]);
      else before.push(node);
    }
  }
  const useful = new Set(nodes.filter(({ rules }) => rules !== undefined));
  // Nodes that join the set during the walk are walked too.
  for (const node of useful) for (const before of leadTo.get(node) ?? []) useful.add(before);
  const isUseful = (node: RuleNode | undefined) => node !== undefined && useful.has(node);
  const kept = (node: RuleNode | undefined) => (isUseful(node) ? node : undefined);
  for (const node of nodes) {
    node.referred = kept(node.referred);
    node.others = kept(node.others);
    node.items = kept(node.items);
    for (const [index, item] of node.prefix.entries()) node.prefix[index] = kept(item);
    for (const [name, member] of node.properties) if (!useful.has(member)) node.properties.delete(name);
  }
}

function localTarget(schema: JsonObject, resources: Resources): JsonObject | undefined {
  const { $ref } = schema;
  if (typeof $ref !== 'string') return undefined;
  const target = resources.find($ref, resources.positionOf(schema).resource)?.target;
  return isJsonObject(target) ? target : undefined;
}

/** The schemas that hold only for some documents, since some step on the path to them is conditional. */
function conditional(root: JsonObject, resources: Resources): ReadonlySet<JsonObject> {
  const found = { escapable: new Set<JsonObject>(), held: new Set<JsonObject>() };
  const waiting = [{ schema: root, isConditional: false }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { schema, isConditional } = next;
    const visited = isConditional ? found.escapable : found.held;
    if (visited.has(schema)) continue;
    visited.add(schema);
    const target = localTarget(schema, resources);
    if (target !== undefined) waiting.push({ schema: target, isConditional });
    for (const { nature, child } of schemasIn(schema)) {
      if (nature.isDefinition || !isJsonObject(child)) continue;
      waiting.push({ schema: child, isConditional: isConditional || !nature.keepsRules });
    }
  }
  return found.escapable;
}

/** Determines from its keywords whether a schema can reject any document. It may wrongly say yes, but never wrongly no. */
import type { CompiledSchema } from './compiled.ts';
import { checkOf, type KeywordName, keywords, neverOperation } from './keywords.ts';

/** Keywords that reject the same documents as their only subschema. */
const ofOne: readonly KeywordName[] = [
  'items',
  'additionalProperties',
  'propertyNames',
  'unevaluatedProperties',
  'unevaluatedItems',
];
const ofNamed: readonly KeywordName[] = ['properties', 'dependentSchemas'];
/** Keywords that accept every object. */
const ofOthers: ReadonlySet<KeywordName> = new Set<KeywordName>([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
  'items',
  'prefixItems',
  'contains',
  'unevaluatedItems',
]);
/** Keywords that reject nothing if their limit is 0. */
const leasts: readonly KeywordName[] = ['minLength', 'minItems', 'minProperties'];
const typesOfAll = 6;

interface Names {
  readonly names: readonly string[];
}
interface One {
  readonly schema: CompiledSchema;
}
interface Many {
  readonly schemas: readonly CompiledSchema[];
}

/** Known results for schemas, for objects and for any value. A schema still being searched counts as not rejecting. */
interface Known {
  readonly ofObjects: Map<CompiledSchema, boolean>;
  readonly ofValues: Map<CompiledSchema, boolean>;
}

/** Whether the schema can reject a document. Documents are objects. */
export const canRefuse = (root: CompiledSchema): boolean =>
  refuses(root, { ofObjects: new Map(), ofValues: new Map() }, true);

/** `isObject`: the value is certainly an object. */
function refuses(schema: CompiledSchema, known: Known, isObject: boolean): boolean {
  const answers = isObject ? known.ofObjects : known.ofValues;
  const found = answers.get(schema);
  if (found !== undefined) return found;
  answers.set(schema, false);
  const some = (schemas: readonly (CompiledSchema | undefined)[], isSame = false) =>
    schemas.some((each) => each !== undefined && refuses(each, known, isSame && isObject));

  /** The parameters of a keyword's check. */
  const read = <Params extends object>(name: KeywordName): Partial<Params> => checkOf<Params>(schema, name) ?? {};

  function refusesBy(name: KeywordName): boolean {
    if (isObject && ofOthers.has(name)) return false;
    if (leasts.includes(name)) return read<{ readonly limit: number }>(name).limit !== 0;
    if (ofOne.includes(name)) return some([read<One>(name).schema]);
    if (ofNamed.includes(name))
      return some(
        (read<{ readonly schemas: readonly [string, CompiledSchema][] }>(name).schemas ?? []).map(([, each]) => each),
      );
    switch (name) {
      case 'type': {
        const { names = [] } = read<Names>(name);
        return isObject ? !names.includes('object') : new Set(names).size < typesOfAll || !names.includes('number');
      }
      case 'required':
        return read<Names>(name).names?.length !== 0;
      case 'dependentRequired':
        return (
          read<{ readonly dependencies: readonly Names[] }>(name).dependencies?.some(({ names }) => names.length > 0) ??
          true
        );
      case '$ref':
        return some([read<One>(name).schema], true);
      case 'allOf':
        return some(read<Many>(name).schemas ?? [], true);
      case 'prefixItems':
        return some(read<Many>(name).schemas ?? []);
      case 'patternProperties':
        return some((read<{ readonly schemas: readonly One[] }>(name).schemas ?? []).map((each) => each.schema));
      case 'anyOf':
        return read<Many>(name).schemas?.every((each) => some([each], true)) ?? true;
      case 'oneOf': {
        const { schemas = [] } = read<Many>(name);
        return schemas.length !== 1 || some(schemas, true);
      }
      case 'not':
        return read<One>(name).schema?.checks.every(({ operation }) => operation !== neverOperation) ?? true;
      case 'if': {
        const { then, otherwise } = read<{ readonly then: CompiledSchema; readonly otherwise: CompiledSchema }>(name);
        return some([then, otherwise], true);
      }
      default:
        return true;
    }
  }

  const result = schema.checks.some(({ operation }) => {
    if (operation === neverOperation) return true;
    const name = keywords[operation]?.name;
    return name !== undefined && refusesBy(name);
  });
  answers.set(schema, result);
  return result;
}

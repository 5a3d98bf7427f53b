/** Keywords that apply schemas to the members of an object. */
import { isJsonObject, type JsonObject, type JsonValue } from '@holdfast/json';
import type { CompiledSchema } from '../compiled.ts';
import { type KeywordContext, keyword } from '../keyword.ts';
import { isIn, type Pattern } from '../pattern.ts';
import type { Run } from '../run.ts';
import { stepsOfName } from './values.ts';

type Named = readonly (readonly [name: string, schema: CompiledSchema])[];
const named = (written: JsonValue, at: KeywordContext): { readonly schemas: Named } => ({
  schemas: at.members(written).map(([name, schema]) => [name, at.compile(schema, [name])]),
});
const lookUps = ({ schemas }: { readonly schemas: Named }) => stepsOfName * schemas.length;

const properties = keyword({
  subschemas: 'members',
  keepsRules: true,
  price: lookUps,
  read: named,
  canRefuse: ({ schemas }, search) => search.ofAny(schemas.map(([, schema]) => schema)),
  holds(value, { schemas }, run) {
    if (!isJsonObject(value)) return true;
    let result = true;
    for (const [name, schema] of schemas) {
      if (!Object.hasOwn(value, name)) continue;
      run.evaluated?.names.add(name);
      const around = run.down(name, true);
      if (!run.fits(schema, value[name] ?? null)) result = false;
      run.up(around);
      if (!result && run.isSatisfied) return false;
    }
    return result;
  },
});

type Matched = readonly { readonly pattern: Pattern; readonly schema: CompiledSchema }[];

const patternProperties = keyword({
  subschemas: 'members',
  price: 1,
  read: (written, at): { readonly schemas: Matched } => ({
    schemas: at.members(written).map(([source, schema]) => ({
      pattern: at.compiler.pattern(source, at),
      schema: at.compile(schema, [source]),
    })),
  }),
  canRefuse: ({ schemas }, search) => search.ofAny(schemas.map(({ schema }) => schema)),
  holds(value, { schemas }, run) {
    if (!isJsonObject(value)) return true;
    let result = true;
    for (const name of namesOf(value, run)) {
      for (const { pattern, schema } of schemas) {
        if (isIn(pattern, name, run) && !member(value, name, schema, run)) result = false;
      }
      if (!result && run.isSatisfied) return false;
    }
    return result;
  },
});

/** The member names of an object. Charges for listing them. */
function namesOf(value: JsonObject, run: Run): string[] {
  const names = Object.keys(value);
  run.spend(names.length);
  return names;
}

/** Whether a member that the schema does not name is valid. */
function member(value: JsonObject, name: string, schema: CompiledSchema, run: Run): boolean {
  run.evaluated?.names.add(name);
  return run.inside(name, false, () => run.fits(schema, value[name] ?? null));
}

/** The members that a schema's `properties` does not name and `patternProperties` does not match. */
interface Others {
  readonly names: ReadonlySet<string>;
  readonly patterns: readonly Pattern[];
}

function othersBeside(at: KeywordContext): Others {
  const names = at.beside('properties');
  const matched = at.beside('patternProperties');
  return {
    names: new Set(names?.members(names.value).map(([name]) => name)),
    patterns: matched?.members(matched.value).map(([source]) => at.compiler.pattern(source, matched)) ?? [],
  };
}

/** Whether a member is neither named nor matched. Throws `BudgetSpent`. */
export const isOther = ({ names, patterns }: Others, name: string, run: Run): boolean =>
  !names.has(name) && !patterns.some((pattern) => isIn(pattern, name, run));

const additionalProperties = keyword({
  subschemas: 'one',
  keepsRules: true,
  price: 1,
  read: (written, at) => ({ schema: at.compile(written), ...othersBeside(at) }),
  canRefuse: ({ schema }, search) => search.ofAny([schema]),
  holds(value, check, run) {
    if (!isJsonObject(value)) return true;
    let result = true;
    for (const name of namesOf(value, run)) {
      if (!isOther(check, name, run)) continue;
      if (!member(value, name, check.schema, run)) result = false;
      if (!result && run.isSatisfied) return false;
    }
    return result;
  },
});

const propertyNames = keyword({
  subschemas: 'one',
  brokenBy: 'name',
  price: 1,
  read: (written, at) => ({ schema: at.compile(written) }),
  canRefuse: ({ schema }, search) => search.ofAny([schema]),
  holds(value, { schema }, run) {
    if (!isJsonObject(value)) return true;
    let result = true;
    for (const name of namesOf(value, run)) {
      if (!run.inside(name, false, () => run.fits(schema, name))) result = false;
      if (!result && run.isSatisfied) return false;
    }
    return result;
  },
});

const dependentSchemas = keyword({
  subschemas: 'members',
  isInPlace: true,
  brokenBy: 'value',
  price: lookUps,
  read: named,
  canRefuse: ({ schemas }, search) => search.ofSame(schemas.map(([, schema]) => schema)),
  holds(value, { schemas }, run) {
    if (!isJsonObject(value)) return true;
    let result = true;
    for (const [name, schema] of schemas) if (Object.hasOwn(value, name) && !run.fits(schema, value)) result = false;
    return result;
  },
});

/** Applies to members that no other schema has evaluated. Runs after all other keywords. */
const unevaluatedProperties = keyword({
  subschemas: 'one',
  brokenBy: 'value',
  price: 1,
  read: (written, at) => ({ schema: at.compile(written) }),
  canRefuse: ({ schema }, search) => search.ofAny([schema]),
  holds(value, { schema }, run) {
    const { evaluated } = run;
    if (!isJsonObject(value) || evaluated === undefined || evaluated.allNames) return true;
    let result = true;
    for (const name of namesOf(value, run)) {
      if (evaluated.names.has(name)) continue;
      if (!run.inside(name, false, () => run.fits(schema, value[name] ?? null))) result = false;
      if (!result && run.isSatisfied) return false;
    }
    if (result) evaluated.allNames = true;
    return result;
  },
});

export const objectKeywords = { properties, patternProperties, additionalProperties, propertyNames, dependentSchemas };
export const unevaluatedMemberKeywords = { unevaluatedProperties };

/** Keywords that apply schemas to the members of an object. */
import { isJsonObject, type JsonObject, type JsonValue } from '@holdfast/json';
import { type CompiledSchema, fits, type Keyword, type KeywordPlace } from '../keyword.ts';
import type { Pattern } from '../pattern.ts';
import type { Run } from '../run.ts';
import { patternOf } from './values.ts';

const properties: Keyword = (written, at) => {
  const schemas = at.members(written).map(([name, schema]): [string, CompiledSchema] => [name, at.compile(schema, [name])]);
  return (value, run) => {
    if (!isJsonObject(value)) return true;
    let result = true;
    for (const [name, schema] of schemas) {
      if (!Object.hasOwn(value, name)) continue;
      const member = value[name] ?? null;
      run.evaluated?.names.add(name);
      const around = run.down(name, true);
      if (!fits(schema, member, run)) result = false;
      run.up(around);
      if (!result && run.isSatisfied) return false;
    }
    return result;
  };
};

const patternProperties: Keyword = (written, at) => {
  const schemas = patternsOf(at).map(({ source, pattern }) => ({
    pattern,
    schema: at.compile(memberOf(written, source), [source]),
  }));
  return (value, run) => {
    if (!isJsonObject(value)) return true;
    let result = true;
    for (const name of Object.keys(value)) {
      for (const { pattern, schema } of schemas) {
        run.spend(1);
        if (pattern.isIn(name, run) && !member(value, name, schema, run)) result = false;
      }
      if (!result && run.isSatisfied) return false;
    }
    return result;
  };
};

const memberOf = (written: JsonValue, name: string): JsonValue => (isJsonObject(written) ? (written[name] ?? null) : null);

/** The regular expressions of `patternProperties`. */
function patternsOf(at: KeywordPlace): { source: string; pattern: Pattern }[] {
  return at.members(at.value).map(([source]) => ({ source, pattern: patternOf(source, at) }));
}

/** Whether a member that the schema does not name fits. */
function member(value: JsonObject, name: string, schema: CompiledSchema, run: Run): boolean {
  run.evaluated?.names.add(name);
  return run.inside(name, false, () => fits(schema, value[name] ?? null, run));
}

const additionalProperties: Keyword = (written, at) => {
  const schema = at.compile(written);
  const isOther = otherMembers(at);
  return (value, run) => {
    if (!isJsonObject(value)) return true;
    let result = true;
    for (const name of Object.keys(value)) {
      run.spend(1);
      if (!isOther(name, run)) continue;
      if (!member(value, name, schema, run)) result = false;
      if (!result && run.isSatisfied) return false;
    }
    return result;
  };
};

/** Tells the members that neither `properties` names nor `patternProperties` matches, beside this keyword. */
export function otherMembers(at: KeywordPlace): (name: string, run: Run) => boolean {
  const named = at.beside('properties');
  const names = new Set(named?.members(named.value).map(([name]) => name));
  const matched = at.beside('patternProperties');
  const patterns = matched === undefined ? [] : patternsOf(matched);
  return (name, run) => !names.has(name) && !patterns.some(({ pattern }) => pattern.isIn(name, run));
}

const propertyNames: Keyword = (written, at) => {
  const schema = at.compile(written);
  return (value, run) => {
    if (!isJsonObject(value)) return true;
    let result = true;
    for (const name of Object.keys(value)) {
      if (!run.inside(name, false, () => fits(schema, name, run))) result = false;
      if (!result && run.isSatisfied) return false;
    }
    return result;
  };
};

const dependentSchemas: Keyword = (written, at) => {
  const schemas = at.members(written).map(([name, schema]): [string, CompiledSchema] => [name, at.compile(schema, [name])]);
  return (value, run) => {
    if (!isJsonObject(value)) return true;
    run.spend(schemas.length);
    let result = true;
    for (const [name, schema] of schemas) if (Object.hasOwn(value, name) && !fits(schema, value, run)) result = false;
    return result;
  };
};

/** Applies to what no other schema has looked at. It runs after the others. */
export const unevaluatedProperties: Keyword = (written, at) => {
  const schema = at.compile(written);
  return (value, run) => {
    const { evaluated } = run;
    if (!isJsonObject(value) || evaluated === undefined || evaluated.allNames) return true;
    let result = true;
    for (const name of Object.keys(value)) {
      run.spend(1);
      if (evaluated.names.has(name)) continue;
      if (!run.inside(name, false, () => fits(schema, value[name] ?? null, run))) result = false;
      if (!result && run.isSatisfied) return false;
    }
    if (result) evaluated.allNames = true;
    return result;
  };
};

export const objectKeywords: Readonly<Record<string, Keyword>> = {
  properties,
  patternProperties,
  additionalProperties,
  propertyNames,
  dependentSchemas,
};

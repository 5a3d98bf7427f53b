/** Keywords that apply further schemas to the same value: references, combinations and conditions. */
import { schemaFaultMessages, violationMessages } from '@holdfast/contract/messages';
import type { JsonValue } from '@holdfast/json';
import type { CompiledSchema } from '../compiled.ts';
import { type KeywordContext, keyword } from '../keyword.ts';

/** Steps charged for trying a schema, in addition to the schema's own steps. */
const stepsOfTrial = 1;

function referred(written: JsonValue, at: KeywordContext) {
  const found = at.compiler.refer(at.text(written), at.position.resource);
  if (found !== undefined) return found;
  throw at.fault(schemaFaultMessages.target);
}

const $ref = keyword({
  price: 0,
  read: (written, at) => ({ schema: referred(written, at).schema }),
  canRefuse: ({ schema }, search) => search.ofSame([schema]),
  holds: (value, { schema }, run) => run.fits(schema, value),
});

/** Resolves to the schema with the same dynamic anchor in the outermost resource that the evaluation has entered. */
const $dynamicRef = keyword({
  price: 1,
  read(written, at) {
    const { schema, fragment, resource } = referred(written, at);
    return { schema, anchor: resource.dynamicAnchors.has(fragment) ? fragment : undefined };
  },
  holds(value, { schema, anchor }, run) {
    if (anchor === undefined) return run.fits(schema, value);
    run.spend(run.scopes.length);
    const outermost = run.scopes.find(({ dynamic }) => dynamic.has(anchor));
    return run.fits(outermost?.dynamic.get(anchor) ?? schema, value);
  },
});

/** The nature of a keyword with schemas for the same value, of which not all need to accept it. */
const choice = { isInPlace: true, brokenBy: 'value' } as const;
const schemas = (written: JsonValue, at: KeywordContext) => ({ schemas: at.schemas(written) });
const trials = ({ schemas: tried }: { readonly schemas: readonly CompiledSchema[] }) => tried.length * stepsOfTrial;

const allOf = keyword({
  subschemas: 'list',
  isInPlace: true,
  price: 0,
  read: schemas,
  canRefuse: (params, search) => search.ofSame(params.schemas),
  holds(value, check, run) {
    let result = true;
    for (const schema of check.schemas) {
      if (!run.fits(schema, value)) result = false;
      if (!result && run.isSatisfied) return false;
    }
    return result;
  },
});

const anyOf = keyword({
  ...choice,
  subschemas: 'list',
  price: trials,
  read: schemas,
  canRefuse: (params, search) => params.schemas.every((schema) => search.ofSame([schema])),
  holds(value, check, run) {
    let result = false;
    for (const schema of check.schemas) {
      if (run.tentatively(() => run.fits(schema, value))) result = true;
      // Later schemas matter only if some schema depends on the evaluated parts.
      if (result && run.evaluated === undefined) break;
    }
    return result || run.violation('anyOf', check.location, violationMessages.anyOf);
  },
});

const oneOf = keyword({
  ...choice,
  subschemas: 'list',
  price: trials,
  read: schemas,
  canRefuse: (params, search) => params.schemas.length !== 1 || search.ofSame(params.schemas),
  holds(value, check, run) {
    let count = 0;
    for (const schema of check.schemas) if (run.tentatively(() => run.fits(schema, value))) count++;
    if (count === 1) return true;
    return run.violation('oneOf', check.location, violationMessages.oneOf, { fitting: count });
  },
});

const not = keyword({
  ...choice,
  subschemas: 'one',
  price: 1,
  read: (written, at) => ({ schema: at.compile(written) }),
  canRefuse: ({ schema }, search) => !search.isNever(schema),
  holds(value, { schema, location }, run) {
    const { evaluated } = run;
    run.evaluated = undefined;
    const result = run.silently(() => run.fits(schema, value));
    run.evaluated = evaluated;
    return !result || run.violation('not', location, violationMessages.not);
  },
});

const condition = keyword({
  ...choice,
  subschemas: 'one',
  price: 1,
  read(written, at) {
    const test = at.compile(written);
    const [then, otherwise] = ['then', 'else'].map((name) => {
      const context = at.beside(name);
      return context?.compile(context.value);
    });
    return { test, then, otherwise };
  },
  canRefuse: ({ then, otherwise }, search) => search.ofSame([then, otherwise]),
  holds(value, { test, then, otherwise }, run) {
    const next = run.tentatively(() => run.fits(test, value)) ? then : otherwise;
    return next === undefined || run.fits(next, value);
  },
});

export const referenceKeywords = { $ref, $dynamicRef };
export const inPlaceKeywords = { allOf, anyOf, oneOf, not, if: condition };

/** The differences between two versions of a schema by field, and the fields that players may write from now on. */
import { type SchemaMode, schemaModes } from '@holdfast/contract';
import type { JsonObject } from '@holdfast/json';
import type { SchemaTexts } from '../../texts/schemas-en.ts';
import { type FieldPath, fieldKey } from './field-path.ts';
import { type FieldRule, rulesInWords } from './rules-in-words.ts';

/** A field whose rules differ, in words; undefined where it has none. */
interface RuleChange {
  readonly path: FieldPath;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export interface RuleChanges {
  /** Undefined if both versions have the same mode, or one of them has none. */
  readonly mode: { readonly before: SchemaMode; readonly after: SchemaMode } | undefined;
  /** In the order of the later version, then the removed ones. */
  readonly rules: readonly RuleChange[];
  /** The fields that only game servers could write before. */
  readonly opened: readonly FieldPath[];
}

/** Returns the differences between two schemas with their modes, as `documentOf` returns them. */
export function ruleChanges(s: SchemaTexts, from: JsonObject, to: JsonObject, language: string): RuleChanges {
  const before = rulesInWords(s, from.schema ?? {}, language);
  const after = rulesInWords(s, to.schema ?? {}, language);
  const [was, is] = [modeOf(from), modeOf(to)];
  const isKept = was !== 'enforce' || is === 'enforce';
  const closed = new Set(isKept ? after.filter(isServerOnly).map(({ path }) => fieldKey(path)) : []);
  return {
    mode: was !== undefined && is !== undefined && was !== is ? { before: was, after: is } : undefined,
    rules: differences(before, after),
    opened: before.filter((rule) => isServerOnly(rule) && !closed.has(fieldKey(rule.path))).map(({ path }) => path),
  };
}

const modeOf = ({ mode }: JsonObject) => schemaModes.find((one) => one === mode);
const isServerOnly = ({ rules }: FieldRule) => rules.hint['x-write'] === 'server';

function differences(before: readonly FieldRule[], after: readonly FieldRule[]): readonly RuleChange[] {
  const earlier = new Map(before.map(({ path, words }) => [fieldKey(path), words]));
  const later = new Set(after.map(({ path }) => fieldKey(path)));
  return [
    ...after
      .map(({ path, words }) => ({ path, before: earlier.get(fieldKey(path)), after: words }))
      .filter((change) => change.before !== change.after),
    ...before
      .filter(({ path }) => !later.has(fieldKey(path)))
      .map(({ path, words }) => ({ path, before: words, after: undefined })),
  ];
}

/** The differences between two versions of a schema, in words. */

import { schemaModes } from '@holdfast/contract';
import type { JsonObject } from '@holdfast/json';
import { useMemo } from 'react';
import { useLanguage } from '../texts/index.ts';
import { useSchemaTexts } from '../texts/schemas.ts';
import { Notice } from '../ui/controls.tsx';
import { FieldName } from './field-name.tsx';
import { fieldKey } from './rules/field-path.ts';
import { type FieldRule, rulesInWords } from './rules-in-words.ts';

interface RulesChangedProps {
  /** Schemas with their modes, as `documentOf` returns them. */
  readonly from: JsonObject;
  readonly to: JsonObject;
}

export function RulesChanged({ from, to }: RulesChangedProps) {
  const s = useSchemaTexts();
  const language = useLanguage();
  const changes = useMemo(() => {
    const [before, after] = [from, to].map(({ schema }) => rulesInWords(s, schema ?? {}, language));
    return differences(before ?? [], after ?? []);
  }, [s, language, from, to]);
  const [modeBefore, modeAfter] = [modeOf(from), modeOf(to)];
  const isModeChanged = modeAfter !== undefined && modeBefore !== undefined && modeBefore !== modeAfter;
  if (changes.length === 0 && !isModeChanged) return <Notice>{s.rulesSame}</Notice>;
  return (
    <section className="change-list rules-changed" aria-label={s.rulesChanged}>
      <ul>
        {isModeChanged && (
          <li>
            <span className="rule-change">
              <b>{s.mode}</b>
              <span>
                <del>{s.modes[modeBefore]}</del> → <ins>{s.modes[modeAfter]}</ins>
              </span>
            </span>
          </li>
        )}
        {changes.map(({ rule, before, after }) => (
          <li key={fieldKey(rule.path)}>
            <span className="rule-change">
              <FieldName path={rule.path} />
              <span>
                {before === undefined && `${s.ruleAdded}: `}
                {after === undefined && `${s.ruleRemoved}: `}
                {before !== undefined && <del>{before}</del>}
                {before !== undefined && after !== undefined && ' → '}
                {after !== undefined && <ins>{after}</ins>}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const modeOf = ({ mode }: JsonObject) => schemaModes.find((one) => one === mode);

interface RuleChange {
  readonly rule: FieldRule;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The rules of the later version in its order, then the removed ones. */
function differences(before: readonly FieldRule[], after: readonly FieldRule[]): readonly RuleChange[] {
  const earlier = new Map(before.map((rule) => [fieldKey(rule.path), rule]));
  const later = new Set(after.map(({ path }) => fieldKey(path)));
  return [
    ...after
      .map((rule) => ({ rule, before: earlier.get(fieldKey(rule.path))?.words, after: rule.words }))
      .filter((change) => change.before !== change.after),
    ...before
      .filter((rule) => !later.has(fieldKey(rule.path)))
      .map((rule) => ({ rule, before: rule.words, after: undefined })),
  ];
}

/** The differences between two versions of a schema, in words. */
import type { JsonObject } from '@holdfast/json';
import { useMemo } from 'react';
import { ChangesHead } from '../../diff/change-list.tsx';
import { textsOf, useLanguage } from '../../texts/index.ts';
import { Notice } from '../../ui/controls.tsx';
import { FieldName } from './field-name.tsx';
import { fieldKey } from './field-path.ts';
import { type RuleChanges, ruleChanges } from './rule-changes.ts';
import './rules-changed.css';
import '../../ui/change-list.css';

const [useSchemaTexts] = textsOf('schemas');

interface RulesChangedProps {
  /** Schemas with their modes, as `documentOf` returns them. */
  readonly from: JsonObject;
  readonly to: JsonObject;
  readonly fromLabel: string;
  readonly toLabel: string;
}

export function useRuleChanges(from: JsonObject, to: JsonObject): RuleChanges {
  const s = useSchemaTexts();
  const language = useLanguage();
  return useMemo(() => ruleChanges(s, from, to, language), [s, from, to, language]);
}

export function RulesChanged({ from, to, fromLabel, toLabel }: RulesChangedProps) {
  const s = useSchemaTexts();
  const { mode, rules } = useRuleChanges(from, to);
  if (rules.length === 0 && mode === undefined) return <Notice>{s.rulesSame}</Notice>;
  return (
    <section className="change-list rules-changed" aria-label={s.rulesChanged}>
      <ChangesHead count={rules.length + (mode === undefined ? 0 : 1)} direction={[fromLabel, toLabel]} />
      <ul>
        {mode !== undefined && (
          <li>
            <span className="change-line">
              <b>{s.mode}</b>
              <span className="change-values">
                <del>{s.modes[mode.before]}</del> → <ins>{s.modes[mode.after]}</ins>
              </span>
            </span>
          </li>
        )}
        {rules.map(({ path, before, after }) => (
          <li key={fieldKey(path)}>
            <span className="change-line">
              <FieldName path={path} />
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

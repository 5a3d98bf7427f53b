/** The differences between two versions of a schema, in words. */
import type { JsonObject } from '@holdfast/json';
import { useMemo } from 'react';
import { ChangesHead } from '../../diff/change-list.tsx';
import { textsOf, useLanguage, useTexts } from '../../texts/index.ts';
import { Notice } from '../../ui/controls.tsx';
import { FieldName, useFieldNames } from './field-name.tsx';
import { fieldKey } from './field-path.ts';
import { type RuleChanges, ruleChanges } from './rule-changes.ts';
import './rules-changed.css';
import '../../ui/change-list.css';

const [useSchemaTexts] = textsOf('schemas');
const [useChangeTexts] = textsOf('changes');

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
  const namesBefore = useFieldNames(from.schema ?? {});
  const namesAfter = useFieldNames(to.schema ?? {});
  if (rules.length === 0 && mode === undefined) return <Notice>{s.rulesSame}</Notice>;
  return (
    <section className="change-list rules-changed" aria-label={s.rulesChanged}>
      <ChangesHead count={rules.length + (mode === undefined ? 0 : 1)} direction={[fromLabel, toLabel]} />
      <ul>
        {mode !== undefined && (
          <li>
            <span className="change-line">
              <b>{s.mode}</b>
              <Words before={s.modes[mode.before]} after={s.modes[mode.after]} />
            </span>
          </li>
        )}
        {rules.map(({ path, before, after }) => (
          <li key={fieldKey(path)}>
            <span className="change-line">
              <FieldName path={path} namesOf={after === undefined ? namesBefore : namesAfter} />
              <Words before={before} after={after} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The rules before and after; a badge marks a new or a removed one. */
function Words({ before, after }: { before: string | undefined; after: string | undefined }) {
  const t = useTexts();
  const c = useChangeTexts();
  return (
    <span className="change-values">
      {before === undefined && <span className="badge">{c.isNew}</span>}
      {after === undefined && <span className="badge">{c.isGone}</span>}
      {before !== undefined && <del>{before}</del>}
      {before !== undefined && after !== undefined && (
        <>
          <span aria-hidden="true">→</span>
          <span className="hidden-text">{t.state.becomes}</span>
        </>
      )}
      {after !== undefined && <ins>{after}</ins>}
    </span>
  );
}

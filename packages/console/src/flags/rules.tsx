/** The rules of a flag as rows, and what everyone else gets. */
import type { JsonObject } from '@holdfast/json';
import { ArrowDown, ArrowUp, Plus } from 'lucide-react';
import { textsOf } from '../texts/index.ts';
import { Button } from '../ui/controls.tsx';
import { ConditionRows, type Suggestions } from './condition.tsx';
import { RemoveButton } from './fields.tsx';
import { defaultOf, variantsOf, withTargeting } from './flag.ts';
import { OutcomeFields } from './outcome.tsx';
import { type Outcome, type Rule, readTargeting } from './targeting.ts';
import { newComparison } from './tests.ts';
import './rules.css';

const [useFlagTexts] = textsOf('flags');

interface RulesProps {
  readonly flag: JsonObject;
  readonly suggestions: Suggestions;
  readonly onChange: (flag: JsonObject) => void;
}

export function Rules({ flag, suggestions, onChange }: RulesProps) {
  const f = useFlagTexts();
  const targeting = readTargeting(flag.targeting);
  const { rules, otherwise } = targeting;
  const ofFlag = { variants: variantsOf(flag), fallback: defaultOf(flag) };
  const setRules = (next: readonly Rule[]) => onChange(withTargeting(flag, { ...targeting, rules: next }));
  const setOtherwise = (next: Outcome) =>
    onChange(withTargeting(flag, { ...targeting, otherwise: next.kind === 'default' ? undefined : next }));
  const [attribute = 'targetingKey'] = suggestions.attributes;
  const [first = ''] = Object.keys(ofFlag.variants);
  const newRule = (): Rule => ({
    when: { join: undefined, parts: [newComparison(attribute)] },
    result: { kind: 'variant', name: first },
  });
  return (
    <section className="card flag-rules">
      <h2>{f.rules}</h2>
      <p className="hint">{rules.length > 1 ? f.rulesText : rules.length === 0 ? f.noRules : ''}</p>
      <ol>
        {rules.map((rule, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rules have no other name
          <li className="flag-rule" key={place} aria-label={f.rule(place + 1)}>
            <RuleTools rules={rules} place={place} onChange={setRules} />
            <ConditionRows
              condition={rule.when}
              suggestions={suggestions}
              onChange={(when) => setRules(rules.with(place, { ...rule, when }))}
            />
            <div className="flag-then">
              <span className="row-word">{f.thenWord}</span>
              <OutcomeFields
                outcome={rule.result}
                {...ofFlag}
                onChange={(result) => setRules(rules.with(place, { ...rule, result }))}
              />
            </div>
          </li>
        ))}
      </ol>
      <Button size="small" icon={<Plus />} onClick={() => setRules([...rules, newRule()])}>
        {f.addRule}
      </Button>
      <div className="flag-then flag-otherwise">
        <span className="row-word">{rules.length === 0 ? f.everyoneGets : f.otherwise}</span>
        <OutcomeFields outcome={otherwise ?? { kind: 'default' }} {...ofFlag} onChange={setOtherwise} />
      </div>
      {rules.length > 0 && <p className="hint">{f.attributeHint}</p>}
    </section>
  );
}

interface RuleToolsProps {
  readonly rules: readonly Rule[];
  readonly place: number;
  readonly onChange: (rules: readonly Rule[]) => void;
}

/** Moves and removes a rule. */
function RuleTools({ rules, place, onChange }: RuleToolsProps) {
  const f = useFlagTexts();
  const [rule] = rules.slice(place, place + 1);
  const move = (to: number) => rule && onChange(rules.toSpliced(place, 1).toSpliced(to, 0, rule));
  return (
    <div className="rule-tools">
      <b>{f.rule(place + 1)}</b>
      {rules.length > 1 && (
        <>
          <Button
            kind="quiet"
            size="small"
            icon={<ArrowUp />}
            aria-label={f.moveUp}
            title={f.moveUp}
            disabled={place === 0}
            onClick={() => move(place - 1)}
          />
          <Button
            kind="quiet"
            size="small"
            icon={<ArrowDown />}
            aria-label={f.moveDown}
            title={f.moveDown}
            disabled={place === rules.length - 1}
            onClick={() => move(place + 1)}
          />
        </>
      )}
      <RemoveButton label={f.removeRule} onClick={() => onChange(rules.toSpliced(place, 1))} />
    </div>
  );
}

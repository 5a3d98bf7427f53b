/** The conditions of a rule: an attribute, a comparison and a value in each row. */
import { Plus } from 'lucide-react';
import { textsOf } from '../texts/index.ts';
import { Button } from '../ui/controls.tsx';
import { Choice } from '../ui/filters.tsx';
import { JsonField, RemoveButton, TypedField } from './fields.tsx';
import { listText, readList, readScalar, scalarText } from './scalars.ts';
import type { Comparison, Condition, Test } from './targeting.ts';
import { choiceOf, choices, newComparison, operandText, withChoice, withOperand } from './tests.ts';
import { testText } from './words.ts';

const [useFlagTexts] = textsOf('flags');

/** Names that the fields of rules suggest. */
export interface Suggestions {
  /** The id of the list of attributes. */
  readonly attributesId: string;
  /** The first one starts a new row. */
  readonly attributes: readonly string[];
  /** The rules in `$evaluators`. */
  readonly shared: readonly string[];
}

interface ConditionRowsProps {
  readonly condition: Condition;
  readonly suggestions: Suggestions;
  readonly onChange: (condition: Condition) => void;
}

export function ConditionRows({ condition: { join, parts }, suggestions, onChange }: ConditionRowsProps) {
  const f = useFlagTexts();
  const put = (place: number, next: Comparison | undefined) => {
    const others = parts.flatMap((part, at) => (at === place ? (next ?? []) : part));
    onChange({ join: others.length > 1 ? join : undefined, parts: others });
  };
  const add = () => {
    const [attribute = 'targetingKey'] = suggestions.attributes;
    onChange({ join: join ?? 'and', parts: [...parts, newComparison(attribute)] });
  };
  const isJoined = parts.length > 1;
  const wordOf = (place: number) => {
    if (place > 0) return join === 'or' ? f.or : f.and;
    return isJoined ? '' : f.if;
  };
  return (
    <div className="condition">
      {isJoined && (
        <div className="condition-join">
          <span className="row-word">{f.if}</span>
          <Choice
            label={f.join}
            value={join ?? 'and'}
            options={[
              { value: 'and', label: f.all },
              { value: 'or', label: f.any },
            ]}
            onChange={(next) => onChange({ join: next, parts })}
          />
        </div>
      )}
      {parts.map((part, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name
        <div className="condition-row" data-kind={part.kind} key={place}>
          <span className="row-word">{wordOf(place)}</span>
          <ComparisonFields comparison={part} suggestions={suggestions} onChange={(next) => put(place, next)} />
          {isJoined && <RemoveButton label={f.removeCondition} onClick={() => put(place, undefined)} />}
        </div>
      ))}
      <div className="condition-end">
        <Button kind="quiet" size="small" icon={<Plus />} onClick={add}>
          {f.addCondition}
        </Button>
      </div>
    </div>
  );
}

interface ComparisonProps {
  readonly comparison: Comparison;
  readonly suggestions: Suggestions;
  readonly onChange: (comparison: Comparison) => void;
}

export function ComparisonFields({ comparison, suggestions, onChange }: ComparisonProps) {
  const f = useFlagTexts();
  if (comparison.kind === 'json') {
    return (
      <div className="flag-json-part">
        <p className="hint">{f.jsonRule}</p>
        <JsonField label={f.asJson} value={comparison.value} onValue={(value) => onChange({ kind: 'json', value })} />
      </div>
    );
  }
  if (comparison.kind === 'shared') return <SharedFields {...{ comparison, suggestions, onChange }} />;
  const { attribute, test, negation } = comparison;
  const choice = choiceOf(test, negation !== undefined);
  const offered = choices.includes(choice) ? choices : [...choices, choice];
  const isShareable = suggestions.shared.length > 0;
  return (
    <>
      <TypedField
        label={f.attribute}
        text={attribute}
        list={suggestions.attributesId}
        className="mono"
        // An attribute without a name would be the whole context.
        same={(typed) => typed.trim() || attribute}
        onText={(typed) => typed.trim() !== '' && onChange({ ...comparison, attribute: typed.trim() })}
      />
      <Choice
        label={f.comparison}
        value={choice}
        options={[
          ...offered.map((value) => ({ value, label: testText(f, value) })),
          ...(isShareable ? [{ value: shared, label: f.matches }] : []),
        ]}
        onChange={(next) =>
          onChange(next === shared ? { kind: 'shared', name: suggestions.shared[0] ?? '' } : withChoice(comparison, next))
        }
      />
      <Operand test={test} onChange={(next) => onChange({ ...comparison, test: next })} />
    </>
  );
}

const shared = '$ref';

function SharedFields({ comparison, suggestions, onChange }: ComparisonProps) {
  const f = useFlagTexts();
  if (comparison.kind !== 'shared') return null;
  const isNegated = comparison.negation !== undefined;
  const names = suggestions.shared.includes(comparison.name)
    ? suggestions.shared
    : [comparison.name, ...suggestions.shared];
  return (
    <>
      <Choice
        label={f.comparison}
        value={isNegated ? 'not' : 'is'}
        options={[
          { value: 'is', label: f.matches },
          { value: 'not', label: f.matchesNot },
          { value: 'attribute', label: `${f.attribute} …` },
        ]}
        onChange={(next) =>
          onChange(
            next === 'attribute'
              ? newComparison(suggestions.attributes[0] ?? 'targetingKey')
              : { kind: 'shared', name: comparison.name, negation: next === 'not' ? 'listed' : undefined },
          )
        }
      />
      <Choice
        label={f.sharedRule}
        value={comparison.name}
        options={names.map((name) => ({ value: name, label: name }))}
        onChange={(name) => onChange({ ...comparison, name })}
      />
    </>
  );
}

/** The value of a comparison. */
function Operand({ test, onChange }: { test: Test; onChange: (test: Test) => void }) {
  const f = useFlagTexts();
  const text = operandText(test);
  if (text === undefined) return <span className="operand" />;
  const same = {
    list: (typed: string) => listText(readList(typed)),
    scalar: (typed: string) => scalarText(readScalar(typed)),
  };
  return (
    <TypedField
      key={test.kind}
      label={test.kind === 'list' ? f.operands : f.operand}
      text={text}
      {...((test.kind === 'list' || test.kind === 'scalar') && { same: same[test.kind] })}
      onText={(typed) => onChange(withOperand(test, typed))}
      className="mono operand"
    />
  );
}

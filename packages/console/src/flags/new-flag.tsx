/** The dialog that creates a flag from a template. */
import type { JsonObject } from '@holdfast/json';
import { useState } from 'react';
import { textsOf } from '../texts/index.ts';
import { useAction } from '../ui/action.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Form, FormEnd, TextField } from '../ui/form.tsx';
import { ComparisonFields, type Suggestions } from './condition.tsx';
import { newFlag, type Template } from './flag.ts';
import type { Comparison } from './targeting.ts';
import { newComparison } from './tests.ts';

const [useFlagTexts] = textsOf('flags');

interface NewFlagProps {
  readonly taken: JsonObject;
  readonly suggestions: Suggestions;
  readonly onClose: () => void;
  readonly onCreate: (key: string, flag: JsonObject) => void;
}

const kinds = ['switch', 'rollout', 'choice'] as const;

export function NewFlag({ taken, suggestions, onClose, onCreate }: NewFlagProps) {
  const f = useFlagTexts();
  const [key, setKey] = useState('');
  const [kind, setKind] = useState<Template['kind']>('switch');
  const [percent, setPercent] = useState('10');
  const [only, setOnly] = useState<Comparison>();
  const [names, setNames] = useState('');
  const isTaken = Object.hasOwn(taken, key.trim());
  const template = templateOf(kind, percent, only, names);
  const isReady = key.trim() !== '' && !isTaken && template !== undefined;
  const create = useAction(async () => {
    if (isReady) onCreate(key.trim(), newFlag(template));
  });
  return (
    <Dialog isOpen onClose={onClose} title={f.newTitle}>
      <Form action={create} className="new-flag">
        <TextField
          label={f.key}
          hint={f.keyHint}
          fault={isTaken ? f.keyTaken : undefined}
          value={key}
          onChange={setKey}
          spellCheck={false}
        />
        <fieldset className="field">
          <legend>{f.template}</legend>
          <div className="choices">
            {kinds.map((one) => (
              <label key={one} className="choice" data-chosen={one === kind || undefined}>
                <input type="radio" name="template" checked={one === kind} onChange={() => setKind(one)} />
                <span>
                  <b>{f.templates[one][0]}</b>
                  <small>{f.templates[one][1]}</small>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
        {kind === 'rollout' && (
          <Rollout
            {...{ percent, setPercent, only, setOnly, suggestions }}
            fault={template === undefined ? f.percentFault : undefined}
          />
        )}
        {kind === 'choice' && (
          <TextField
            label={f.choices}
            hint={f.choicesHint}
            fault={names !== '' && template === undefined ? f.choicesFault : undefined}
            value={names}
            onChange={setNames}
            spellCheck={false}
          />
        )}
        <FormEnd action={create} label={f.create} isReady={isReady} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

interface RolloutProps {
  readonly percent: string;
  readonly setPercent: (percent: string) => void;
  readonly fault: string | undefined;
  readonly only: Comparison | undefined;
  readonly setOnly: (only: Comparison | undefined) => void;
  readonly suggestions: Suggestions;
}

/** How many players, and which. */
function Rollout({ percent, setPercent, fault, only, setOnly, suggestions }: RolloutProps) {
  const f = useFlagTexts();
  const [attribute = 'country'] = suggestions.attributes.filter((name) => name !== 'targetingKey');
  return (
    <>
      <TextField
        label={f.percent}
        type="number"
        min={0}
        max={100}
        step="any"
        fault={fault}
        value={percent}
        onChange={setPercent}
      />
      <label className="check">
        <input
          type="checkbox"
          checked={only !== undefined}
          onChange={({ target }) => setOnly(target.checked ? newComparison(attribute) : undefined)}
        />
        {f.only}
      </label>
      {only !== undefined && (
        <>
          <div className="condition-row">
            <ComparisonFields comparison={only} suggestions={suggestions} onChange={setOnly} />
          </div>
          <p className="hint">{f.attributeHint}</p>
        </>
      )}
    </>
  );
}

/** Returns what the form says; undefined while something is missing. */
function templateOf(
  kind: Template['kind'],
  percentText: string,
  only: Comparison | undefined,
  namesText: string,
): Template | undefined {
  if (kind === 'switch') return { kind };
  if (kind === 'rollout') {
    const percent = Number(percentText);
    if (percentText.trim() === '' || !(percent >= 0 && percent <= 100)) return undefined;
    return { kind, percent, only: only && { join: undefined, parts: [only] } };
  }
  const names = namesText.split(',').flatMap((name) => name.trim() || []);
  return names.length > 1 && new Set(names).size === names.length ? { kind, names } : undefined;
}

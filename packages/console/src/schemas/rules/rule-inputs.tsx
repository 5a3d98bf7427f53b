/** What the values of a field must be, in plain words: only what fits their kind is asked. */

import { textsOf } from '../../texts/index.ts';
import type { SchemaTexts } from '../../texts/schemas-en.ts';
import { Button, Field } from '../../ui/controls.tsx';
import { TextField } from '../../ui/form.tsx';
import { plain } from '../../ui/plain-text.ts';
import { commonKind, hasFewValues, type KnownField } from './fields.ts';
import {
  type BoundedKind,
  bounded,
  boundsOf,
  choiceText,
  type RuleFault,
  type RuleFaults,
  type RuleForm,
  valueKinds,
  withKind,
} from './rule-form.ts';

const [useSchemaTexts] = textsOf('schemas');

interface RuleInputsProps {
  readonly form: RuleForm;
  readonly faults: RuleFaults;
  readonly field: KnownField;
  /** Whether it is a field of an object, which can be required. */
  readonly isNamed: boolean;
  /** Whether every other field has rules, so that all are allowed. */
  readonly isMap: boolean;
  readonly isOfSaves: boolean;
  readonly onChange: (form: RuleForm) => void;
}

export function RuleInputs(props: RuleInputsProps) {
  const { form, faults, field, isNamed, isMap, isOfSaves, onChange } = props;
  const s = useSchemaTexts();
  const kind = form.kind === 'any' || form.kind === 'other' ? commonKind(field) : form.kind;
  const isText = kind === 'string' || form.pattern !== '';
  const isBounded = (of: BoundedKind) => bounded(kind) === of || boundsOf(of).some((name) => form.bounds[name] !== '');
  const hasChoices = isText || bounded(kind) === 'number' || kind === 'any' || form.choices !== '';
  return (
    <>
      <KindField form={form} onChange={onChange} />
      {(['number', 'string', 'array'] as const).map(
        (of) => isBounded(of) && <Bounds key={of} of={of} form={form} faults={faults} onChange={onChange} />,
      )}
      {hasChoices && <Choices form={form} fault={faults.choices} field={field} onChange={onChange} />}
      {isNamed && (
        <Tick
          label={s.form.required}
          hint={s.form.requiredHint}
          isOn={form.isRequired}
          onChange={(isRequired) => onChange({ ...form, isRequired })}
        />
      )}
      {(form.isClosed || (kind === 'object' && !isMap)) && (
        <Tick
          label={s.form.closed}
          hint={field.names.length > 0 ? s.form.closedHint(namesShown(field)) : undefined}
          isOn={form.isClosed}
          onChange={(isClosed) => onChange({ ...form, isClosed })}
        />
      )}
      {(isOfSaves || form.isServerOnly) && (
        <Tick
          label={s.form.serverOnly}
          hint={s.form.serverOnlyHint}
          isOn={form.isServerOnly}
          onChange={(isServerOnly) => onChange({ ...form, isServerOnly })}
        />
      )}
      {isText && (
        <details className="rules-advanced" open={form.pattern !== '' || undefined}>
          <summary>{s.form.advanced}</summary>
          <TextField
            label={s.form.pattern}
            hint={s.form.patternHint}
            fault={textOf(s, faults.pattern)}
            className="mono"
            spellCheck={false}
            value={form.pattern}
            onChange={(pattern) => onChange({ ...form, pattern })}
          />
        </details>
      )}
    </>
  );
}

const textOf = (s: SchemaTexts, fault: RuleFault | undefined) => fault && s.form.faults[fault];

const namesMax = 12;
function namesShown({ names }: KnownField): string {
  return `${names.slice(0, namesMax).map(plain).join(', ')}${names.length > namesMax ? ' …' : ''}`;
}

interface PartProps {
  readonly form: RuleForm;
  readonly onChange: (form: RuleForm) => void;
}

function KindField({ form, onChange }: PartProps) {
  const s = useSchemaTexts();
  const kinds = ['any', ...valueKinds] as const;
  return (
    <Field label={s.form.kind}>
      {(attributes) => (
        <select
          {...attributes}
          value={form.kind}
          disabled={form.kind === 'other'}
          onChange={({ target }) => onChange(withKind(form, kinds.find((one) => one === target.value) ?? 'any'))}
        >
          {form.kind === 'other' && <option value="other">{s.asJson}</option>}
          {kinds.map((one) => (
            <option key={one} value={one}>
              {s.form.kinds[one]}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function Bounds({ of, form, faults, onChange }: PartProps & { of: BoundedKind; faults: RuleFaults }) {
  const s = useSchemaTexts();
  const [least, most] = boundsOf(of);
  return (
    <fieldset className="rules-bounds">
      <legend className="label">{s.form.bounds[of]}</legend>
      {[least, most].map((name) => (
        <TextField
          key={name}
          label={name === least ? s.form.least : s.form.most}
          fault={textOf(s, faults[name])}
          inputMode={of === 'number' ? 'decimal' : 'numeric'}
          value={form.bounds[name]}
          onChange={(text) => onChange({ ...form, bounds: { ...form.bounds, [name]: text } })}
        />
      ))}
    </fieldset>
  );
}

interface ChoicesProps extends PartProps {
  readonly fault: RuleFault | undefined;
  readonly field: KnownField;
}

function Choices({ form, fault, field, onChange }: ChoicesProps) {
  const s = useSchemaTexts();
  const rowsMax = 8;
  const lines = form.choices.split('\n').length;
  return (
    <div className="rules-choices">
      <Field
        label={s.form.choices}
        hint={s.form.choicesHint}
        fault={fault && s.form.faults[fault === 'number' ? 'numbers' : fault]}
      >
        {(attributes) => (
          <textarea
            {...attributes}
            rows={Math.min(Math.max(lines, 2), rowsMax)}
            spellCheck={false}
            value={form.choices}
            onChange={({ target }) => onChange({ ...form, choices: target.value })}
          />
        )}
      </Field>
      {hasFewValues(field) && form.choices === '' && (
        <Button size="small" onClick={() => onChange({ ...form, choices: field.values.map(choiceText).join('\n') })}>
          {s.form.choicesNow}
        </Button>
      )}
    </div>
  );
}

interface TickProps {
  readonly label: string;
  readonly hint: string | undefined;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

const Tick = ({ label, hint, isOn, onChange }: TickProps) => (
  <label className="check">
    <input type="checkbox" checked={isOn} onChange={({ target }) => onChange(target.checked)} />
    <span>
      {label}
      {hint !== undefined && <small>{hint}</small>}
    </span>
  </label>
);

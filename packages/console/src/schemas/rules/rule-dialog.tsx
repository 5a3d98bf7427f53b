/** Adds or changes the rules of one field: which one, and what its values must be. */
import { type JsonObject, type JsonValue, pointerOf } from '@holdfast/json';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { SchemaKey } from '../../api/schemas.ts';
import { textsOf, useLanguage } from '../../texts/index.ts';
import { useAction } from '../../ui/action.ts';
import { Button, Notice, Skeleton } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, FormEnd } from '../../ui/form.tsx';
import { ownForm, withRules } from './change-rules.ts';
import { FieldChoice } from './field-choice.tsx';
import { FieldName, useFieldNames } from './field-name.tsx';
import { type FieldPath, fieldKey, nameOf, placeOf } from './field-path.ts';
import { commonKind, fieldsOf, type KnownField } from './fields.ts';
import { ownSchema, rulesAt } from './read-rules.ts';
import { faultsOf, furtherKeywords, withKind } from './rule-form.ts';
import { RuleInputs } from './rule-inputs.tsx';
import { wordsOf } from './rules-in-words.ts';
import { samplesQuery } from './samples.ts';
import { shownValues } from './shown-values.ts';
import './rule-dialog.css';

const [useSchemaTexts] = textsOf('schemas');

interface RuleDialogProps {
  readonly schemaKey: SchemaKey;
  /** The schema as it is edited. */
  readonly schema: JsonValue;
  /** The field of listed rules; undefined to choose one. */
  readonly path: FieldPath | undefined;
  readonly onClose: () => void;
  readonly onChange: (path: FieldPath, edit: (schema: JsonValue) => JsonValue) => void;
  /** Shows a part of the schema in its JSON. */
  readonly onJson: (pointer: string) => void;
}

const noDocuments: readonly JsonObject[] = [];

export function RuleDialog({ path, ...props }: RuleDialogProps) {
  const { schemaKey, schema, onClose } = props;
  const s = useSchemaTexts();
  const language = useLanguage();
  const [chosen, setChosen] = useState(path);
  const samples = useQuery(samplesQuery(schemaKey));
  const documents = samples.data ?? noDocuments;
  const fields = useMemo(() => fieldsOf(documents, schema), [documents, schema]);
  const field = (of: FieldPath): KnownField =>
    fields.find((one) => fieldKey(one.path) === fieldKey(of)) ?? { path: of, kinds: [], values: [], names: [] };
  const hasRules = (of: FieldPath) => wordsOf(s, rulesAt(schema, of), language) !== '';
  return (
    <Dialog isOpen onClose={onClose} title={chosen !== undefined && hasRules(chosen) ? s.form.change : s.addRule}>
      {samples.isPending ? (
        <Skeleton rows={6} />
      ) : chosen === undefined ? (
        <FieldChoice fields={fields} schema={schema} onChoose={setChosen} onClose={onClose} />
      ) : (
        <RulesForm
          {...props}
          key={fieldKey(chosen)}
          field={field(chosen)}
          hasRules={hasRules(chosen)}
          isNew={path === undefined}
          onOther={path === undefined ? () => setChosen(undefined) : undefined}
        />
      )}
    </Dialog>
  );
}

interface RulesFormProps extends Omit<RuleDialogProps, 'path'> {
  readonly field: KnownField;
  readonly hasRules: boolean;
  /** Whether the kind of the values found is suggested as a rule. */
  readonly isNew: boolean;
  readonly onOther: (() => void) | undefined;
}

function RulesForm({ schemaKey, schema, field, hasRules, isNew, onOther, onClose, onChange, onJson }: RulesFormProps) {
  const s = useSchemaTexts();
  const language = useLanguage();
  const { path } = field;
  const namesOf = useFieldNames(schema);
  const before = useMemo(() => ownForm(schema, path), [schema, path]);
  const known = rulesAt(schema, path);
  const isBare = before.kind === 'any' && before.choices === '' && known.hint.type === undefined;
  const [form, setForm] = useState(() => (isNew && isBare ? withKind(before, commonKind(field)) : before));
  const faults = faultsOf(form);
  const edit = (now: JsonValue) => withRules(now, path, form, field.names);
  const isReady = Object.keys(faults).length === 0;
  const next = isReady ? edit(schema) : schema;
  const isChanged = JSON.stringify(next) !== JSON.stringify(schema);
  const own = ownSchema(schema, path);
  const apply = useAction(async () => {
    if (!isReady || !isChanged) return;
    onChange(path, edit);
    onClose();
  });
  return (
    <Form action={apply} className="rules-form">
      <div className="rules-field">
        <p aria-live="polite">
          <FieldName path={path} namesOf={namesOf} />
          <bdi>{wordsOf(s, rulesAt(next, path), language) || s.form.nothing}</bdi>
        </p>
        {onOther !== undefined && (
          <Button size="small" onClick={onOther}>
            {s.form.otherField}
          </Button>
        )}
      </div>
      {field.values.length > 0 && <p className="hint rules-now">{s.form.now(shownValues(field))}</p>}
      <RuleInputs
        form={form}
        faults={faults}
        field={field}
        isNamed={nameOf(path) !== undefined}
        isMap={own.additionalProperties !== undefined && own.additionalProperties !== false}
        isOfSaves={schemaKey.kind === 'user-state'}
        onChange={setForm}
      />
      {(!known.isOwn || furtherKeywords(own).length > 0) && (
        <Notice
          action={
            <Button size="small" onClick={() => onJson(pointerOf(placeOf(path)))}>
              {s.toJson}
            </Button>
          }
        >
          {s.form.further}
        </Notice>
      )}
      <FormEnd
        action={apply}
        label={hasRules ? s.form.change : s.addRule}
        isReady={isReady && isChanged}
        missing={isReady && !isChanged ? s.form.unchanged : undefined}
        onCancel={onClose}
      />
    </Form>
  );
}

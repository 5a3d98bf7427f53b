/** The rules of an edited schema in words, field by field, each with buttons to change and to remove it. */
import { type JsonValue, pointerOf } from '@holdfast/json';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { StepButtons } from '../../editor/editor-toolbar.tsx';
import { runUndoKey } from '../../form/undo-key.ts';
import type { Undoable } from '../../open-text/text-buffer.ts';
import { formatNumber, textsOf, useLanguage } from '../../texts/index.ts';
import type { SchemaTexts } from '../../texts/schemas-en.ts';
import { Button, Notice } from '../../ui/controls.tsx';
import { Below, type Column, Table } from '../../ui/table.tsx';
import { FieldName, useFieldNames } from './field-name.tsx';
import type { FieldNames } from './field-names.ts';
import { type FieldPath, fieldKey, placeOf } from './field-path.ts';
import { ownSchema } from './read-rules.ts';
import { furtherKeywords } from './rule-form.ts';
import { type FieldRule, rulesInWords, rulesMax } from './rules-in-words.ts';
import './rule-list.css';

const [useSchemaTexts] = textsOf('schemas');

interface RuleListProps {
  readonly schema: JsonValue;
  readonly edited: Undoable & { readonly isChanged: boolean };
  readonly isReadOnly: boolean;
  /** JSON Pointer to the rules to mark and show. */
  readonly at: string | undefined;
  /** JSON Pointer to a part of the schema with the rules to show first. */
  readonly near: string | undefined;
  /** Called to add rules, or to change those of a field. */
  readonly onEdit: (path?: FieldPath) => void;
  readonly onRemove: (path: FieldPath) => void;
  readonly onJson: (pointer: string) => void;
}

export function RuleList(props: RuleListProps) {
  const { schema, edited, isReadOnly, at, near, onEdit } = props;
  const s = useSchemaTexts();
  const rules = rulesInWords(s, schema, useLanguage());
  const namesOf = useFieldNames(schema);
  const columns = columnsOf(s, namesOf, props);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => scrollTo(list.current, at ?? near), [at, near]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons in it take the keys
    <div className="rules-list" ref={list} onKeyDown={(event) => runUndoKey(event, edited.undo, edited.redo)}>
      {!isReadOnly && (
        <div className="rules-bar">
          {/* Once there is something to save, that is the main action. */}
          <Button {...(!edited.isChanged && { kind: 'primary' as const })} icon={<Plus />} onClick={() => onEdit()}>
            {s.addRule}
          </Button>
          <StepButtons edited={edited} />
        </div>
      )}
      {rules.length === 0 ? (
        <Notice>{s.noRules}</Notice>
      ) : (
        <Table label={s.views.rules} rows={rules} keyOf={({ path }) => fieldKey(path)} columns={columns} />
      )}
      {rules.length === rulesMax && <p className="hint">{s.moreRules(formatNumber(rulesMax))}</p>}
    </div>
  );
}

/** Scrolls to the rules of a part of a schema: those of its innermost field. */
function scrollTo(list: HTMLElement | null, pointer: string | undefined): void {
  if (pointer === undefined) return;
  const places = [...(list?.querySelectorAll<HTMLElement>('[data-place]') ?? [])];
  const around = places.filter(({ dataset: { place } }) => `${pointer}/`.startsWith(`${place}/`));
  const lengthOf = ({ dataset: { place = '' } }: HTMLElement) => place.length;
  const [innermost] = around.toSorted((one, other) => lengthOf(other) - lengthOf(one));
  innermost?.scrollIntoView({ block: 'nearest' });
}

function columnsOf(
  s: SchemaTexts,
  namesOf: FieldNames,
  props: RuleListProps,
): readonly [Column<FieldRule>, ...Column<FieldRule>[]] {
  const { schema, isReadOnly, at, onJson } = props;
  const columns = [
    {
      name: s.field,
      cell: ({ path }) => (
        <span data-place={pointerOf(placeOf(path))} data-marked={at === pointerOf(placeOf(path)) || undefined}>
          <FieldName path={path} namesOf={namesOf} />
        </span>
      ),
    },
    {
      name: s.rule,
      isPlain: true,
      cell: (rule) => (
        <>
          <bdi>{rule.words}</bdi>{' '}
          {hasFurther(schema, rule) && (
            <button type="button" className="link rule-json" onClick={() => onJson(pointerOf(placeOf(rule.path)))}>
              {s.asJson}
            </button>
          )}
          {rule.description !== undefined && (
            <Below>
              <bdi>{rule.description}</bdi>
            </Below>
          )}
        </>
      ),
    },
  ] satisfies [Column<FieldRule>, Column<FieldRule>];
  if (isReadOnly) return columns;
  return [
    ...columns,
    { name: s.actions, kind: 'actions', cell: (rule) => <Actions rule={rule} name={namesOf(rule.path)} {...props} /> },
  ];
}

/** Whether the JSON says more about a field than a form can. */
const hasFurther = (schema: JsonValue, { path, rules }: FieldRule): boolean =>
  !rules.isOwn || furtherKeywords(ownSchema(schema, path)).length > 0;

interface ActionsProps extends RuleListProps {
  readonly rule: FieldRule;
  /** Of the field. */
  readonly name: string;
}

/** What stands behind a reference holds for other fields too, so only the JSON can change it. */
function Actions({ rule: { path, rules }, name, onEdit, onRemove }: ActionsProps) {
  const s = useSchemaTexts();
  if (!rules.isOwn) return null;
  return (
    <>
      {!rules.isForbidden && (
        <Button
          kind="quiet"
          icon={<Pencil />}
          aria-label={s.editRules(name)}
          title={s.form.change}
          onClick={() => onEdit(path)}
        />
      )}
      <Button
        kind="quiet"
        icon={<Trash2 />}
        aria-label={s.removeRules(name)}
        title={s.removeRule}
        onClick={() => onRemove(path)}
      />
    </>
  );
}

/** Saves a schema after a review: the changes, the mode, stored documents that would violate it, and a comment. */
import { commentCharactersMax, type Environment, type SchemaMode, schemaModes } from '@holdfast/contract';
import type { JsonObject, JsonValue } from '@holdfast/json';
import { type ReactNode, useMemo, useState } from 'react';
import { forgetSchema, readSchemaNow, type SchemaKey, type SchemaRecord, writeSchema } from '../../api/schemas.ts';
import { emptyDocument } from '../../api/state.ts';
import { Diff } from '../../diff/diff.tsx';
import { compare } from '../../json-text/changes.ts';
import type { Change } from '../../open-text/rebase.ts';
import { useRebased } from '../../saving/rebased.tsx';
import { useWriting } from '../../saving/writing.ts';
import { textsOf, useTexts } from '../../texts/index.ts';
import { useAction } from '../../ui/action.ts';
import { Notice } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Fault } from '../../ui/fault.tsx';
import { Form, FormEnd, TextField } from '../../ui/form.tsx';
import { TitleIn } from '../../ui/title-in.tsx';
import { toast } from '../../ui/toasts.tsx';
import { undoVersion } from '../../ui/undo.ts';
import { wideWindow } from '../../ui/wide-window.ts';
import { useFieldNames } from '../rules/field-name.tsx';
import type { FieldPath } from '../rules/field-path.ts';
import { RulesChanged, useRuleChanges } from '../rules/rules-changed.tsx';
import { Scan } from '../violations/scan.tsx';

const [usePromoteTexts] = textsOf('promote');
const [useSchemaTexts] = textsOf('schemas');

interface SaveSchemaProps {
  /** Where it is written. */
  readonly schemaKey: SchemaKey;
  /** The stored version as far as known; null if there is none. */
  readonly base: SchemaRecord | null;
  readonly next: JsonValue;
  readonly mode: SchemaMode;
  readonly title: string;
  /** The label of the main button; undefined for the number of changes and the environment. */
  readonly action?: string;
  readonly comment?: string;
  /** The initial choice. */
  readonly children?: ReactNode;
  /** Set if `next` comes from another environment: the comparison then names it so. */
  readonly isPromoted?: true;
  readonly done: (record: SchemaRecord) => string;
  readonly onClose: () => void;
  readonly onSaved: (record: SchemaRecord) => void;
}

/** Otherwise the comment scrolls, so that the mode stays in view, and warnings come before the changes. */
const useIsWide = wideWindow(641);

/** A schema with its mode, for comparison. */
export const documentOf = (mode: SchemaMode, schema: JsonValue): JsonObject => ({ mode, schema });

export function SaveSchema(props: SaveSchemaProps) {
  const { schemaKey, base, next, onClose } = props;
  const { change, dialog, moveTo } = useRebased({ base, next }, schemaOf, onClose);
  if (change === undefined) return dialog;
  return <SaveStep {...props} change={change} onMoved={async () => moveTo(await readSchemaNow(schemaKey))} />;
}

const schemaOf = ({ schema }: SchemaRecord): JsonValue => schema;

const undoOf = (key: SchemaKey, before: SchemaRecord | null, written: SchemaRecord) =>
  undoVersion(before, written, async ({ mode, schema }, comment) => {
    const record = await writeSchema(key, { base: written, mode, schema, comment });
    if (record !== undefined) await forgetSchema(key);
    return record;
  });

interface SaveStepProps extends Omit<SaveSchemaProps, 'base' | 'next'> {
  readonly change: Change<SchemaRecord, JsonValue>;
  /** Somebody else has saved first. */
  readonly onMoved: () => Promise<void>;
}

function SaveStep({ change: { base, next, mergedVersion }, onMoved, ...props }: SaveStepProps) {
  const t = useTexts();
  const s = useSchemaTexts();
  const { schemaKey, onClose } = props;
  const [mode, setMode] = useState(props.mode);
  const [comment, setComment] = useState(props.comment ?? '');
  const [isWaiting, setWaiting] = useState(false);
  const isWide = useIsWide();
  const writing = useWriting(schemaKey, 'write_schemas');
  const before = useMemo(() => (base === null ? emptyDocument : documentOf(base.mode, base.schema)), [base]);
  const after = useMemo(() => documentOf(mode, next), [mode, next]);
  const { changes } = useMemo(() => compare(before, after), [before, after]);
  const { mode: modeChange, rules, opened } = useRuleChanges(before, after);
  // The lines that are listed; what words cannot tell apart is counted by value.
  const count = rules.length + (modeChange === undefined ? 0 : 1) || changes.length;
  const isReady = changes.length > 0 && !isWaiting && !writing.isForbidden && writing.takes(comment);
  const save = useAction(async () => {
    if (!isReady) return;
    const record = await writeSchema(schemaKey, { base, mode, schema: next, comment });
    if (record === undefined) return onMoved();
    toast(props.done(record), { action: undoOf(schemaKey, base, record) });
    props.onSaved(record);
  });
  const warnings = (
    <>
      {schemaKey.kind === 'user-state' && opened.length > 0 && <Opened fields={opened} schema={base?.schema ?? {}} />}
      {mode === 'enforce' && <Scan schemaKey={schemaKey} schema={next} onWait={setWaiting} />}
    </>
  );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={<TitleIn env={schemaKey.env}>{props.title}</TitleIn>}
      size="full"
      env={schemaKey.env}
    >
      {mergedVersion !== undefined && <Notice kind="warn">{s.newer(mergedVersion)}</Notice>}
      {props.children}
      <ModeChoice mode={mode} onChange={setMode} />
      {changes.length === 0 ? (
        <>
          <Notice>{s.same}</Notice>
          {warnings}
        </>
      ) : (
        <Difference env={schemaKey.env} isPromoted={props.isPromoted} base={base} before={before} after={after}>
          {warnings}
        </Difference>
      )}
      <Fault error={save.fault} />
      <Form className="save-form" isShort={isWide} action={save}>
        <TextField
          label={t.state.comment}
          hint={writing.isProtected ? t.state.commentNeeded : s.commentHint}
          required={writing.isProtected}
          value={comment}
          onChange={setComment}
          maxLength={commentCharactersMax}
        />
        <FormEnd
          action={save}
          label={props.action ?? s.saveChanges(count, t.environments[schemaKey.env])}
          isReady={isReady}
          missing={isWaiting ? s.scanWait : undefined}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}

/** Further ones are only counted. */
const openedMax = 5;

/** Warns of fields that players may write from now on; the schema, which kept them from it, names them. */
function Opened({ fields, schema }: { fields: readonly FieldPath[]; schema: JsonValue }) {
  const s = useSchemaTexts();
  const namesOf = useFieldNames(schema);
  const shown = fields.slice(0, openedMax).map((path) => namesOf(path));
  return <Notice kind="warn">{s.opened(shown.join(', '), fields.length - shown.length)}</Notice>;
}

function ModeChoice({ mode, onChange }: { mode: SchemaMode; onChange: (mode: SchemaMode) => void }) {
  const s = useSchemaTexts();
  return (
    <fieldset className="field mode-choice">
      <legend className="label">{s.mode}</legend>
      <div className="choices">
        {schemaModes.map((one) => (
          <label key={one} className="choice" data-chosen={one === mode || undefined}>
            <input type="radio" name="mode" checked={one === mode} onChange={() => onChange(one)} />
            <span>
              <b>{s.modes[one]}</b>
              <small>{s.modeHints[one]}</small>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Lists no changes, since the rules show them. */
const none: readonly [] = [];

interface DifferenceProps {
  readonly env: Environment;
  readonly isPromoted: true | undefined;
  readonly base: SchemaRecord | null;
  readonly before: JsonObject;
  readonly after: JsonObject;
  /** What stands between the changes in words and their JSON; in a narrow window, first. */
  readonly children: ReactNode;
}

function Difference({ env, isPromoted, base, before, after, children }: DifferenceProps) {
  const t = useTexts();
  const p = usePromoteTexts();
  const s = useSchemaTexts();
  const isWide = useIsWide();
  const now = base === null ? s.none : t.common.version(base.version);
  const labels = isPromoted
    ? { fromLabel: p.now(t.environments[env]), toLabel: p.after }
    : { fromLabel: `${t.environments[env]} · ${now}`, toLabel: s.after };
  return (
    <>
      {!isWide && children}
      <RulesChanged from={before} to={after} {...labels} />
      {isWide && children}
      <Diff from={before} to={after} {...labels} changes={none} />
    </>
  );
}

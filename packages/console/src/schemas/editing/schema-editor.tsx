/** The editor of a schema with its bars. Its text is in an editor of JSON that stays while the rules are shown in words. */
import { isJsonObject, isSame, type JsonValue, merge3, pointerOf } from '@holdfast/json';
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { useAuthority } from '../../api/authority.ts';
import type { SchemaKey } from '../../api/schemas.ts';
import type { CodeEditorHandle } from '../../editor/code-editor.tsx';
import { EditorActions } from '../../editor/editor-actions.tsx';
import { EditorToolbar } from '../../editor/editor-toolbar.tsx';
import { usePageKeys } from '../../editor/page-keys.ts';
import type { Finding } from '../../json-text/document-text.ts';
import { faultSentence } from '../../json-text/json-faults.ts';
import { pathAt } from '../../json-text/text-places.ts';
import { useWriting } from '../../saving/writing.ts';
import { textsOf, useTexts, withTexts } from '../../texts/index.ts';
import { Button, Notice, Skeleton } from '../../ui/controls.tsx';
import { toast } from '../../ui/toasts.tsx';
import { withoutRules } from '../rules/change-rules.ts';
import { fieldNames } from '../rules/field-names.ts';
import { type FieldPath, placeOf } from '../rules/field-path.ts';
import { RuleList } from '../rules/rule-list.tsx';
import { SaveSchema } from '../saving/save-schema.tsx';
import { SchemaActions } from '../saving/schema-actions.tsx';
import { type EditedSchema, modeOfSchema, type SchemaOpening, useSchema } from './open-schema.ts';
import { SchemaHeader } from './schema-header.tsx';
import { SchemaStatus } from './schema-status.tsx';
import '../../ui/editor-page.css';
import '../rules/rule-list.css';

const [useSchemaTexts] = textsOf('schemas');

const CodeEditor = lazy(async () => ({ default: (await withTexts(import('./schema-code-editor.tsx'))).SchemaCodeEditor }));
const RuleDialog = lazy(async () => ({ default: (await withTexts(import('../rules/rule-dialog.tsx'))).RuleDialog }));

export interface EditViewProps {
  readonly schemaKey: SchemaKey;
  readonly view: 'rules' | 'edit';
  /** JSON Pointer to the part of the schema to show. */
  readonly at: string | undefined;
  readonly bar: ReactNode;
  readonly onShow: (view: 'rules' | 'edit', at?: string) => void;
}

interface SchemaEditorProps extends EditViewProps {
  readonly opening: SchemaOpening;
  /** Whether the first rule is added immediately. */
  readonly isAdding: boolean;
  readonly onRemoved: () => void;
}

export function SchemaEditor({ schemaKey, view, at, opening, isAdding, bar, onShow, onRemoved }: SchemaEditorProps) {
  const t = useTexts();
  const s = useSchemaTexts();
  const own = useAuthority();
  const editor = useRef<CodeEditorHandle>(null);
  const edited = useSchema(schemaKey, opening, editor);
  const { read, isTyping, isChanged, findings } = edited;
  const writing = useWriting(schemaKey, 'write_schemas');
  const [isSaving, setSaving] = useState(false);
  const completion = useMemo(() => ({ kind: schemaKey.kind, label: s.suggestions }), [schemaKey, s]);
  const [editing, setEditing] = useState<Editing | undefined>(isAdding ? { path: undefined } : undefined);
  const isJson = view === 'edit';
  /** JSON Pointer to the rules that were changed last, which the JSON then shows. */
  const changedAt = useRef<string>(undefined);
  useShown(editor, isJson, at, changedAt);
  const isGood = read.kind === 'document' && findings?.some(isRefused) === false;
  const canSave = isChanged && !isTyping && isGood && !writing.isForbidden;
  const save = () => canSave && setSaving(true);
  usePageKeys({ s: save });
  return (
    <div className={isJson ? 'page editor-page schema-page' : 'page wide'}>
      <SchemaHeader schemaKey={schemaKey} isChanged={isChanged}>
        <Actions {...{ schemaKey, edited, canSave, onRemoved }} onSave={save} />
      </SchemaHeader>
      {bar}
      {writing.isForbidden && own !== undefined && <Notice>{s.mayNot(t.team.roles[own.role])}</Notice>}
      {isJson && <EditorToolbar edited={edited} isJson onFind={() => editor.current?.openSearch()} />}
      <div className={isJson ? 'workbench' : 'rules-bench'}>
        <Suspense fallback={<Skeleton rows={12} />}>
          <CodeEditor
            ref={editor}
            initialText={edited.firstText}
            label={s.editor}
            completion={completion}
            onChange={edited.onChange}
            onSave={save}
            onFormat={edited.format}
          />
          {!isJson && (
            <Rules
              schemaKey={schemaKey}
              edited={edited}
              isReadOnly={writing.isForbidden}
              at={at}
              near={() => pathAtCursor(editor.current)}
              onChange={(path, edit) => {
                changedAt.current = pointerOf(placeOf(path));
                edited.change(edit, true);
              }}
              editing={editing}
              onEdit={setEditing}
              onJson={(pointer) => onShow('edit', pointer)}
            />
          )}
        </Suspense>
      </div>
      {isJson && <SchemaStatus edited={edited} editor={editor} />}
      {isSaving && <Saving schemaKey={schemaKey} edited={edited} onClose={() => setSaving(false)} />}
    </div>
  );
}

const isRefused = ({ severity }: Finding): boolean => severity === 'error';

interface ActionsProps {
  readonly schemaKey: SchemaKey;
  readonly edited: EditedSchema;
  readonly canSave: boolean;
  readonly onSave: () => void;
  readonly onRemoved: () => void;
}

/** What can be done with the edited text; as long as it has no changes, with the saved schema. */
function Actions({ schemaKey, edited, canSave, onSave, onRemoved }: ActionsProps) {
  const { base, read, isChanged, findings, saved } = edited;
  if (isChanged || base === null) {
    const reason = read.kind === 'fault' ? faultSentence(read.fault) : findings?.find(isRefused)?.message;
    return <EditorActions edited={edited} isReady={canSave} reason={reason} onReview={onSave} />;
  }
  const removed = () => {
    saved(null);
    onRemoved();
  };
  return <SchemaActions schemaKey={schemaKey} record={base} onSaved={saved} onRemoved={removed} />;
}

interface SavingProps {
  readonly schemaKey: SchemaKey;
  readonly edited: EditedSchema;
  readonly onClose: () => void;
}

function Saving({ schemaKey, edited, onClose }: SavingProps) {
  const s = useSchemaTexts();
  const { base, read } = edited;
  if (read.kind === 'fault') return null;
  return (
    <SaveSchema
      schemaKey={schemaKey}
      base={base}
      next={read.value}
      mode={modeOfSchema(base)}
      title={s.saveTitle}
      done={({ version }) => s.saved(version)}
      onClose={onClose}
      onSaved={(record) => {
        onClose();
        edited.saved(record);
      }}
    />
  );
}

const pathAtCursor = (editor: CodeEditorHandle | null): string | undefined =>
  editor === null ? undefined : pointerOf(pathAt(editor.text(), editor.cursor()));

/** Moves the cursor to the part of the schema that is named or was changed, once its JSON is shown and loaded. */
function useShown(
  editor: { readonly current: CodeEditorHandle | null },
  isJson: boolean,
  at: string | undefined,
  changedAt: { current: string | undefined },
): void {
  useEffect(() => {
    const target = at ?? changedAt.current;
    if (!isJson || target === undefined) return;
    let frame = 0;
    const tryToShow = () => {
      if (editor.current === null) frame = requestAnimationFrame(tryToShow);
      else editor.current.goToPointer(target);
    };
    tryToShow();
    changedAt.current = undefined;
    return () => cancelAnimationFrame(frame);
  }, [editor, isJson, at, changedAt]);
}

/** Returns `now` with the differences of `mine` from `base`; unchanged if a later edit has touched the same. */
function merged(base: JsonValue, now: JsonValue, mine: JsonValue): JsonValue {
  if (isSame(base, now)) return mine;
  if (!isJsonObject(base) || !isJsonObject(now) || !isJsonObject(mine)) return now;
  const merge = merge3(base, now, mine);
  return merge.conflicts.length === 0 ? merge.build(new Map()) : now;
}

/** The rules in the dialog: those of a field, or new ones. */
interface Editing {
  readonly path: FieldPath | undefined;
}

interface RulesProps {
  readonly schemaKey: SchemaKey;
  readonly edited: EditedSchema;
  readonly isReadOnly: boolean;
  readonly at: string | undefined;
  /** Returns the position of the cursor in the JSON. */
  readonly near: () => string | undefined;
  readonly onChange: (path: FieldPath, edit: (schema: JsonValue) => JsonValue) => void;
  readonly editing: Editing | undefined;
  readonly onEdit: (editing: Editing | undefined) => void;
  readonly onJson: (pointer: string) => void;
}

function Rules({ schemaKey, edited, isReadOnly, at, near, onChange, editing, onEdit, onJson }: RulesProps) {
  const t = useTexts();
  const s = useSchemaTexts();
  const { read, findings } = edited;
  const [cursorAt] = useState(near);
  const fault = findings?.find(({ severity }) => severity === 'error');
  if (read.kind === 'fault' || read.value === false) {
    return (
      <Notice
        kind="bad"
        title={read.kind === 'fault' ? s.rulesFault : s.nothingAccepted}
        action={<Button onClick={() => onJson('')}>{s.toJson}</Button>}
      >
        {read.kind === 'fault' && faultSentence(read.fault)}
      </Notice>
    );
  }
  return (
    <>
      {fault !== undefined && (
        <Notice kind="bad" action={<Button onClick={() => onJson(fault.path)}>{s.toJson}</Button>}>
          {fault.message}
        </Notice>
      )}
      <RuleList
        schema={read.value}
        edited={edited}
        isReadOnly={isReadOnly}
        at={at}
        near={cursorAt}
        onEdit={(path) => onEdit({ path })}
        onRemove={(path) => {
          const left = withoutRules(read.value, path);
          onChange(path, () => left);
          const restore = () => onChange(path, (now) => merged(left, now, read.value));
          toast(s.rulesRemoved(fieldNames(s, read.value)(path)), { action: { label: t.common.undo, run: restore } });
        }}
        onJson={onJson}
      />
      {editing !== undefined && (
        <Suspense>
          <RuleDialog
            schemaKey={schemaKey}
            schema={read.value}
            path={editing.path}
            onClose={() => onEdit(undefined)}
            onChange={onChange}
            onJson={onJson}
          />
        </Suspense>
      )}
    </>
  );
}

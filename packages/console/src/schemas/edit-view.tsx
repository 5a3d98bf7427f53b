/** The editor of a schema with its bars: faults, and buttons to save, promote and delete. */
import { useQuery } from '@tanstack/react-query';
import { Braces, Search, WrapText } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useMemo, useRef, useState } from 'react';
import { useAuthority } from '../api/authority.ts';
import { call } from '../api/http.ts';
import { openingSchemaQuery, type SchemaKey, type SchemaRecord } from '../api/schemas.ts';
import type { CodeEditorHandle } from '../state/code-editor.tsx';
import { useWriting, type Writing } from '../state/writing.ts';
import { useLanguage, useTexts } from '../texts/index.ts';
import { useSchemaTexts } from '../texts/schemas.ts';
import { Button, EmptyState, Notice, Skeleton } from '../ui/controls.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Fault } from '../ui/fault.tsx';
import { RowMenu } from '../ui/row-menu.tsx';
import { toast } from '../ui/toasts.tsx';
import { SaveSchema } from './save-schema.tsx';
import { SchemaActions } from './schema-actions.tsx';
import { SchemaHeader } from './schema-header.tsx';
import { SchemaStatus } from './schema-status.tsx';
import {
  type EditedSchema,
  modeOfSchema,
  openSchema,
  type SchemaOpening,
  textOfSchema,
  useSchemaText,
} from './use-schema-text.ts';

const CodeEditor = lazy(async () => ({ default: (await import('./schema-code-editor.tsx')).SchemaCodeEditor }));

interface EditViewProps {
  readonly schemaKey: SchemaKey;
  readonly bar: ReactNode;
  /** Called when somebody begins a first schema. */
  readonly onStart: () => void;
}

export function EditView({ schemaKey, bar, onStart }: EditViewProps) {
  const s = useSchemaTexts();
  const [isStarted, setStarted] = useState(false);
  /** The schema that the page was opened with was deleted. */
  const [isRemoved, setRemoved] = useState(false);
  const opening = useQuery(openingSchemaQuery('editing', schemaKey, openSchema));
  const opened: SchemaOpening | undefined = isRemoved ? { stored: null, draft: undefined } : opening.data;
  const start = () => {
    setStarted(true);
    onStart();
  };
  const onRemoved = () => {
    setRemoved(true);
    setStarted(false);
  };
  if (opened !== undefined && (opened.stored !== null || opened.draft !== undefined || isStarted)) {
    return <Editor schemaKey={schemaKey} opening={opened} bar={bar} onRemoved={onRemoved} />;
  }
  const { kind } = schemaKey;
  return (
    <div className="page wide">
      <SchemaHeader schemaKey={schemaKey} />
      {bar}
      <Fault error={opening.error} onRetry={() => void opening.refetch()} />
      {opening.isPending && <Skeleton rows={10} />}
      {opened !== undefined && (
        <EmptyState
          icon={<Braces />}
          title={s.empty[kind]}
          action={
            <Button kind="primary" onClick={start}>
              {s.start}
            </Button>
          }
        >
          {s.emptyText[kind]}
        </EmptyState>
      )}
    </div>
  );
}

interface EditorProps {
  readonly schemaKey: SchemaKey;
  readonly opening: SchemaOpening;
  readonly bar: ReactNode;
  readonly onRemoved: () => void;
}

/** The dialog open above the editor. */
type Open = 'save' | 'remove' | 'discard' | undefined;

function Editor({ schemaKey, opening, bar, onRemoved }: EditorProps) {
  const t = useTexts();
  const s = useSchemaTexts();
  const language = useLanguage();
  const own = useAuthority();
  const editor = useRef<CodeEditorHandle>(null);
  const edited = useSchemaText(schemaKey, opening, editor);
  const { base, read, isChanged, findings } = edited;
  const writing = useWriting(schemaKey, 'write_schemas');
  const [open, setOpen] = useState<Open>();
  const firstText = useRef(opening.draft?.text ?? textOfSchema(opening.stored));
  const completion = useMemo(() => ({ kind: schemaKey.kind, language, label: s.suggestions }), [schemaKey, language, s]);
  const canSave =
    read.kind === 'document' && findings?.every(({ severity }) => severity === 'warning') === true && !writing.isForbidden;
  const save = () => canSave && (isChanged || base === null) && setOpen('save');
  return (
    <div className="state-page">
      <SchemaHeader
        schemaKey={schemaKey}
        lead={(isChanged || base === null) && <span className="badge warn">{t.state.unsaved}</span>}
      >
        {isChanged && <Button onClick={() => setOpen('discard')}>{t.state.discard}</Button>}
        {isChanged || base === null ? (
          <Button kind="primary" disabled={!canSave} onClick={save}>
            {t.state.review}
          </Button>
        ) : (
          <SchemaActions schemaKey={schemaKey} record={base} onSaved={edited.saved} />
        )}
      </SchemaHeader>
      {bar}
      {writing.isForbidden && own !== undefined && <Notice>{s.mayNot(t.team.roles[own.role])}</Notice>}
      <div className="toolbar">
        <Button kind="quiet" size="small" icon={<Search />} onClick={() => editor.current?.openSearch()}>
          {t.state.find}
        </Button>
        <Button kind="quiet" size="small" icon={<WrapText />} onClick={edited.format} disabled={read.kind === 'fault'}>
          {t.state.format}
        </Button>
        {base !== null && !writing.isForbidden && (
          <span className="toolbar-end">
            <RowMenu label={s.more} actions={[{ label: s.remove, run: () => setOpen('remove'), isDanger: true }]} />
          </span>
        )}
      </div>
      <div className="workbench">
        <Suspense fallback={<Skeleton rows={12} />}>
          <CodeEditor
            ref={editor}
            initialText={firstText.current}
            label={s.editor}
            completion={completion}
            onChange={edited.onChange}
            onSave={save}
            onFormat={edited.format}
          />
        </Suspense>
      </div>
      <SchemaStatus edited={edited} editor={editor} />
      <Dialogs {...{ schemaKey, edited, writing, open, onRemoved }} onClose={() => setOpen(undefined)} />
    </div>
  );
}

interface DialogsProps {
  readonly schemaKey: SchemaKey;
  readonly edited: EditedSchema;
  readonly writing: Writing;
  readonly open: Open;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}

function Dialogs({ schemaKey, edited, open, onClose, onRemoved }: DialogsProps) {
  const t = useTexts();
  const s = useSchemaTexts();
  const { base, read } = edited;
  const saved = (record: SchemaRecord) => {
    onClose();
    edited.saved(record);
  };
  return (
    <>
      {open === 'save' && read.kind === 'document' && (
        <SaveSchema
          schemaKey={schemaKey}
          base={base}
          next={read.value}
          mode={modeOfSchema(base)}
          title={s.saveTitle}
          action={t.state.saveVersion}
          done={({ version }) => s.saved(version)}
          onClose={onClose}
          onSaved={saved}
        />
      )}
      <Confirm
        isOpen={open === 'discard'}
        onClose={onClose}
        title={t.state.discard}
        text={t.state.discardText}
        action={t.state.discard}
        onConfirm={async () => edited.discard()}
      />
      <Confirm
        isOpen={open === 'remove'}
        onClose={onClose}
        title={s.remove}
        text={s.removeText}
        action={s.remove}
        onConfirm={async () => {
          await call('deleteSchema', { params: schemaKey, ifVersion: base?.version ?? null });
          edited.saved(null);
          toast(s.removed);
          onRemoved();
        }}
      />
    </>
  );
}

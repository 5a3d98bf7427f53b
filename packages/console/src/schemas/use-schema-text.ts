/** The text of a schema being edited: the stored version, the typed text, and its faults. It is kept as a draft. */
import type { SchemaMode } from '@holdfast/contract';
import { isJsonObject, type JsonValue } from '@holdfast/json';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { type Draft, drafts } from '../api/drafts.ts';
import { queryClient } from '../api/queries.ts';
import {
  checkSchema,
  forgetSchema,
  readSchemaNow,
  type SchemaKey,
  type SchemaRecord,
  schemaKeyName,
  schemaQuery,
} from '../api/schemas.ts';
import { formatted } from '../api/state.ts';
import type { CodeEditorHandle } from '../editor/code-editor.tsx';
import { useEditorSteps } from '../editor/editor-steps.ts';
import { type DocumentText, type Finding, readText } from '../json-text/document-text.ts';
import { textChanges } from '../json-text/text-changes.ts';
import { violationText, warningText } from '../texts/violations.ts';

/** The initial text of the editor. */
export interface SchemaOpening {
  readonly stored: SchemaRecord | null;
  readonly draft: Draft | undefined;
}

/** The faults of a schema; undefined while unknown. */
export type SchemaFindings = readonly Finding[] | undefined;

export interface EditedSchema {
  /** The version that the text is based on; null if nothing is stored. */
  readonly base: SchemaRecord | null;
  readonly read: DocumentText<JsonValue>;
  readonly isChanged: boolean;
  readonly findings: SchemaFindings;
  readonly onChange: () => void;
  /** Changes the schema in the text, in one undoable step. Other values keep their text. */
  readonly change: (edit: (schema: JsonValue) => JsonValue) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly format: () => void;
  readonly discard: () => void;
  /** It was saved as this version. */
  readonly saved: (record: SchemaRecord | null) => void;
}

const settleMs = 250;
const firstMode: SchemaMode = 'report';

/** The initial schema of an environment without one. */
export const firstSchema: JsonValue = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {},
};

export const textOfSchema = (record: SchemaRecord | null): string => formatted(record?.schema ?? firstSchema);
export const modeOfSchema = (record: SchemaRecord | null): SchemaMode => record?.mode ?? firstMode;

/** The stored version and an earlier draft. A draft without changes is dropped. */
export async function openSchema(key: SchemaKey): Promise<SchemaOpening> {
  const name = schemaKeyName(key);
  const [stored, draft] = await Promise.all([readSchemaNow(key), drafts.read(name).catch(() => undefined)]);
  if (draft === undefined || draft.text !== textOfSchema(stored)) return { stored, draft };
  await drafts.remove(name);
  return { stored, draft: undefined };
}

/** The version that a draft is based on: the stored one, or as much of an older one as a merge needs. */
function baseOf({ stored, draft }: SchemaOpening): SchemaRecord | null {
  if (draft === undefined || draft.baseVersion === (stored?.version ?? 0)) return stored;
  if (draft.baseVersion === 0) return null;
  const read = readText(draft.baseText, true);
  return read.kind === 'document'
    ? { version: draft.baseVersion, mode: modeOfSchema(stored), schema: read.value, comment: null }
    : stored;
}

export function useSchemaText(
  key: SchemaKey,
  opening: SchemaOpening,
  editor: RefObject<CodeEditorHandle | null>,
): EditedSchema {
  const [base, setBase] = useState(() => baseOf(opening));
  const [read, setRead] = useState(() => readText(opening.draft?.text ?? textOfSchema(opening.stored), true));
  const [isChanged, setChanged] = useState(opening.draft !== undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const check = useCallback(() => {
    clearTimeout(timer.current);
    const text = editor.current?.text();
    if (text === undefined) return;
    const baseText = textOfSchema(base);
    setRead(readText(text, true));
    setChanged(text !== baseText);
    const draft = { text, baseVersion: base?.version ?? 0, baseText, savedAt: Date.now() };
    const name = schemaKeyName(key);
    const keeping = text === baseText ? drafts.remove(name) : drafts.write(name, draft);
    keeping.catch(() => undefined); // a browser without storage: the text is still in the editor
  }, [editor, base, key]);
  const setText = (text: string) => {
    editor.current?.setText(text);
    check();
  };
  const take = (record: SchemaRecord | null) => {
    setBase(record);
    const text = textOfSchema(record);
    editor.current?.setText(text);
    clearTimeout(timer.current);
    setRead(readText(text, true));
    setChanged(false);
  };
  const saved = (record: SchemaRecord | null) => {
    take(record);
    queryClient.setQueryData(schemaQuery(key).queryKey, record);
    void forgetSchema(key);
    void drafts.remove(schemaKeyName(key)).catch(() => undefined);
  };
  useNewer(key, (record) => {
    const isUntouched = editor.current?.text() === textOfSchema(base);
    if (record.version > (base?.version ?? 0) && isUntouched) take(record);
  });
  const change = (edit: (schema: JsonValue) => JsonValue) => {
    const text = editor.current?.text() ?? '';
    const before = readText(text, true);
    if (before.kind === 'fault') return;
    const after = edit(before.value);
    if (!isJsonObject(before.value) || !isJsonObject(after)) return setText(formatted(after));
    editor.current?.change(textChanges(text, before.value, after), true);
    check();
  };
  const step = (name: 'undo' | 'redo') => () => {
    editor.current?.[name]();
    check();
  };
  return {
    base,
    read,
    isChanged,
    findings: useFindings(key, read, editor),
    change,
    undo: step('undo'),
    redo: step('redo'),
    ...useEditorSteps(editor, read),
    onChange: () => {
      clearTimeout(timer.current);
      timer.current = setTimeout(check, settleMs);
    },
    format: () => read.kind === 'document' && setText(formatted(read.value)),
    discard: () => setText(textOfSchema(base)),
    saved,
  };
}

/** Calls `onRead` with each version that is read while the page is open. Somebody else may have saved it. */
function useNewer(key: SchemaKey, onRead: (record: SchemaRecord) => void): void {
  const { data } = useQuery(schemaQuery(key));
  const latest = useRef(onRead);
  latest.current = onRead;
  useEffect(() => {
    if (data != null) latest.current(data);
  }, [data]);
}

/** The location of a warning as a JSON Pointer. This service does not escape locations as URIs. */
const pointerIn = ({ schemaLocation }: { readonly schemaLocation: string }): string => schemaLocation.slice(1);

/** Has the service compile the schema a moment after the last key, and marks faults. */
function useFindings(
  key: SchemaKey,
  read: DocumentText<JsonValue>,
  editor: RefObject<CodeEditorHandle | null>,
): SchemaFindings {
  const [findings, setFindings] = useState<SchemaFindings>();
  const value = read.kind === 'document' ? read.value : undefined;
  useEffect(() => {
    if (value === undefined) return;
    const ending = new AbortController();
    setFindings(undefined);
    checkSchema(key, value, ending.signal).then(
      ({ violations, warnings }) => {
        const found = [
          ...violations.map((one): Finding => ({ path: one.path, message: violationText(one), severity: 'error' })),
          ...warnings.map(
            (one): Finding => ({ path: pointerIn(one), message: warningText(one.message), severity: 'warning' }),
          ),
        ];
        setFindings(found);
        editor.current?.show(found);
      },
      () => undefined, // saving reports it
    );
    return () => ending.abort();
  }, [key, value, editor]);
  return findings;
}

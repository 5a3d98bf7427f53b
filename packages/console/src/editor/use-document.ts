/**
 * The document being edited: the stored version, the typed text, and others' later changes. Typed text is never dropped automatically: it
 * is kept as a draft until it is saved or discarded.
 */
import { isSame, type JsonObject, type Merge, merge3 } from '@holdfast/json';
import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { type Draft, drafts } from '../api/drafts.ts';
import { type Proposal, readProposed } from '../api/proposals.ts';
import { forgetState, stateQuery } from '../api/queries.ts';
import { emptyDocument, formatted, readState, type StateKey, type StateRecord, stateKeyName } from '../api/state.ts';
import { watchState } from '../api/watch.ts';
import { type DocumentText, documentOf, readDocument } from '../json-text/document-text.ts';
import { textChanges } from '../json-text/text-changes.ts';
import { textsNow } from '../texts/index.ts';
import { toast } from '../ui/toasts.tsx';
import type { CodeEditorHandle } from './code-editor.tsx';
import { type EditorSteps, useEditorSteps } from './editor-steps.ts';

/** The initial text of the editor. */
export interface Opening {
  readonly stored: StateRecord | null;
  readonly draft: Draft | undefined;
  /** The name under which unsaved text is kept. */
  readonly draftName: string;
  /** The proposal that is edited, if any: its result is the text. */
  readonly proposal?: Proposal;
}

/** The input of a merge that needs decisions. */
export interface Overlap {
  readonly theirs: StateRecord;
  readonly merge: Merge;
}

export interface EditedDocument extends EditorSteps {
  /** The initial text. */
  readonly firstText: string;
  /** The version that the text is based on; null if nothing is stored. */
  readonly base: StateRecord | null;
  /** The text as a document, a moment after the last key. */
  readonly read: DocumentText;
  readonly isChanged: boolean;
  /** A version saved by somebody else and not merged into the text. */
  readonly newer: StateRecord | null | undefined;
  /** Whether others' changes arrive; undefined while unknown. */
  readonly isConnected: boolean | undefined;
  readonly onChange: () => void;
  /** Changes the text so that it is this document. Other values keep their text. */
  change(document: JsonObject): void;
  undo(): void;
  redo(): void;
  /** The current text. */
  readNow(): DocumentText;
  format(): void;
  discard(): void;
  /** Merges the stored version into the text. Conflicts are returned, and wait for `settle`. */
  merge(theirs: StateRecord | null): Overlap | undefined;
  settle(theirs: StateRecord, document: JsonObject): void;
  /** The text was saved as this version. */
  saved(record: StateRecord): void;
}

const settleMs = 200;
const textOf = (record: StateRecord | null) => formatted(record?.state ?? emptyDocument);

/** The last text that was read. It is not read again, so that its values stay the same objects. */
interface KnownText {
  readonly text: string;
  readonly read: DocumentText;
}

const readOnce = (known: KnownText | undefined, text: string): DocumentText =>
  known?.text === text ? known.read : readDocument(text);

interface TextParts {
  readonly key: StateKey;
  readonly opening: Opening;
  readonly editor: RefObject<CodeEditorHandle | null>;
}

/** The text in the editor, and the version that it is based on. */
function useText({ key, opening: { stored, draft, draftName }, editor }: TextParts) {
  const queries = useQueryClient();
  const { accountId, slug, env } = key;
  const [base, setBase] = useState<StateRecord | null>(() => draftBase(draft) ?? stored);
  const [firstText] = useState(() => draft?.text ?? textOf(stored));
  const [read, setRead] = useState<DocumentText>(() =>
    draft === undefined ? documentOf(stored?.state ?? emptyDocument) : readDocument(firstText),
  );
  const [isChanged, setChanged] = useState(draft !== undefined);
  /** Values that later calls must see immediately. */
  const [now] = useState(() => ({ current: { base, text: draft === undefined ? firstText : textOf(base) } }));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const known = useRef<KnownText>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const takeBase = useCallback(
    (record: StateRecord | null) => {
      now.current = { base: record, text: textOf(record) };
      setBase(record);
      const written = { accountId, slug, env };
      queries.setQueryData(stateQuery(written).queryKey, record);
      void forgetState(written);
    },
    [queries, now, accountId, slug, env],
  );

  /** Checks the text: whether it is a document, and whether to keep a draft. */
  const check = useCallback(() => {
    clearTimeout(timer.current);
    const text = editor.current?.text();
    if (text === undefined) return undefined;
    const next = readOnce(known.current, text);
    known.current = { text, read: next };
    setRead(next);
    const { base: from, text: baseText } = now.current;
    setChanged(text !== baseText);
    const unsaved = { text, baseVersion: from?.version ?? 0, baseText, savedAt: Date.now() };
    const keeping = text === baseText ? drafts.remove(draftName) : drafts.write(draftName, unsaved);
    keeping.catch(() => undefined); // a browser without storage: the text is still in the editor
    return next;
  }, [editor, now, draftName]);

  const setText = useCallback(
    (text: string) => {
      editor.current?.setText(text);
      check();
    },
    [editor, check],
  );
  const onChange = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(check, settleMs);
    setChanged(true);
  };
  const edits = useEdits({ editor, known, check, setRead, setText, onChange });
  const isUntouched = useCallback(() => editor.current?.text() === now.current.text, [editor, now]);
  return { firstText, base, read, isChanged, now, takeBase, check, setText, edits, onChange, isUntouched };
}

interface EditParts {
  readonly editor: RefObject<CodeEditorHandle | null>;
  readonly known: { current: KnownText | undefined };
  readonly check: () => DocumentText | undefined;
  readonly setRead: (read: DocumentText) => void;
  readonly setText: (text: string) => void;
  readonly onChange: () => void;
}

/** The changes that come from outside the editor of the text. All can be undone there. */
function useEdits({ editor, known, check, setRead, setText, onChange }: EditParts) {
  const change = useCallback(
    (document: JsonObject) => {
      const text = editor.current?.text();
      if (text === undefined) return;
      const before = readOnce(known.current, text);
      if (before.kind !== 'document') return;
      editor.current?.change(textChanges(text, before.value, document));
      known.current = { text: editor.current?.text() ?? '', read: documentOf(document) };
      setRead(known.current.read);
      onChange();
    },
    [editor, known, setRead, onChange],
  );
  const step = (name: 'undo' | 'redo') => () => {
    editor.current?.[name]();
    check();
  };
  const format = () => {
    const next = check();
    if (next?.kind === 'document') setText(formatted(next.value));
  };
  return { change, undo: step('undo'), redo: step('redo'), format };
}

export function useDocument(key: StateKey, opening: Opening, editor: RefObject<CodeEditorHandle | null>): EditedDocument {
  const text = useText({ key, opening, editor });
  const { base, read, isChanged, now, check, setText, edits, onChange, isUntouched } = text;
  const [newer, setNewer] = useState(() => newerThanDraft(opening));
  const [isConnected, setConnected] = useState<boolean>();
  const known = useRef<StateRecord | null | undefined>(undefined);
  known.current = newer;
  const takeBase = useCallback(
    (record: StateRecord | null) => {
      text.takeBase(record);
      setNewer(undefined);
    },
    [text.takeBase],
  );
  const receive = useCallback(
    (record: StateRecord | null) => {
      if (!isUntouched()) return setNewer(record);
      takeBase(record);
      setText(textOf(record));
      if (record !== null) toast(textsNow().state.updated(record.version));
    },
    [isUntouched, takeBase, setText],
  );
  useEffect(() => {
    const version = () => (known.current === undefined ? now.current.base : known.current)?.version ?? 0;
    return watchState(key, { known: version, onNewer: receive, onConnection: setConnected });
  }, [key, receive, now]);

  const settle = (theirs: StateRecord | null, document: JsonObject) => {
    takeBase(theirs);
    setText(formatted(document));
  };
  const merge = (theirs: StateRecord | null): Overlap | undefined => {
    const mine = check();
    if (mine?.kind !== 'document') return undefined;
    const found = theirs === null ? undefined : merge3(base?.state ?? emptyDocument, theirs.state, mine.value);
    if (theirs !== null && found !== undefined && found.conflicts.length > 0) return { theirs, merge: found };
    settle(theirs, found?.build(new Map()) ?? mine.value);
    return undefined;
  };
  return {
    firstText: text.firstText,
    base,
    read,
    isChanged,
    newer,
    isConnected,
    onChange,
    ...edits,
    ...useEditorSteps(editor, read),
    settle,
    merge,
    readNow: () => check() ?? read,
    discard: () => receiveOver(newer === undefined ? base : newer),
    saved: (record) => {
      takeBase(record);
      const typed = readDocument(editor.current?.text() ?? '');
      // Text typed during the request stays.
      if (typed.kind === 'document' && isSame(typed.value, record.state)) setText(textOf(record));
      else check();
    },
  };

  function receiveOver(record: StateRecord | null): void {
    takeBase(record);
    setText(textOf(record));
  }
}

/** The stored version, if it is not the one that the draft is based on. */
const newerThanDraft = ({ stored, draft }: Opening): StateRecord | null | undefined =>
  draft !== undefined && draft.baseVersion !== (stored?.version ?? 0) ? stored : undefined;

/** The version that a draft is based on, as far as a merge needs it. */
function draftBase(draft: Draft | undefined): StateRecord | null | undefined {
  if (draft === undefined) return undefined;
  if (draft.baseVersion === 0) return null;
  const read = readDocument(draft.baseText);
  if (read.kind !== 'document') return undefined;
  return { version: draft.baseVersion, state: read.value, comment: null, sizeBytes: read.characters };
}

/** The stored version and an earlier draft. A draft without changes is dropped. */
export async function openDocument(key: StateKey): Promise<Opening> {
  const draftName = stateKeyName(key);
  const [stored, draft] = await Promise.all([readState(key), drafts.read(draftName).catch(() => undefined)]);
  if (draft === undefined || draft.text !== textOf(stored)) return { stored, draft, draftName };
  await drafts.remove(draftName);
  return { stored, draft: undefined, draftName };
}

/** The same, for editing a proposal: the text is what applying it would make of the stored version. An ended one cannot be edited. */
export async function openProposal(key: StateKey, proposalId: string): Promise<Opening> {
  const draftName = `${stateKeyName(key)}/${proposalId}`;
  const [proposed, draft] = await Promise.all([
    readProposed({ ...key, proposalId }),
    drafts.read(draftName).catch(() => undefined),
  ]);
  if (proposed === undefined) return openDocument(key);
  const { proposal, stored, document } = proposed;
  const first = { text: formatted(document), baseVersion: stored?.version ?? 0, baseText: textOf(stored) };
  return { stored, draft: draft ?? { ...first, savedAt: Date.now() }, draftName, proposal };
}

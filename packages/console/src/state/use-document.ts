/**
 * The document that is being edited: what is stored, what was typed, and what others have written meanwhile. Nothing that was typed is
 * given up by itself: it is kept as a draft until it is saved or discarded.
 */
import type { JsonObject } from '@holdfast/json';
import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { forgetState, stateQuery } from '../api/queries.ts';
import { emptyDocument, formatted, readState, type StateKey, type StateRecord, stateKeyName } from '../api/state.ts';
import { textsNow } from '../texts/index.ts';
import { toast } from '../ui/toasts.tsx';
import type { CodeEditorHandle } from './code-editor.tsx';
import { type DocumentText, readDocument } from './document-text.ts';
import { type Draft, drafts } from './drafts.ts';
import { isSame, type Merge, merge3 } from './merge3.ts';
import { watchState } from './watch.ts';

/** What the editor is opened with. */
export interface Opening {
  readonly stored: StateRecord | null;
  readonly draft: Draft | undefined;
}

/** What a merge needs that the person has to decide. */
export interface Overlap {
  readonly theirs: StateRecord;
  readonly merge: Merge;
}

export interface EditedDocument {
  /** What the text was made from; null while nothing is stored. */
  readonly base: StateRecord | null;
  /** The text as a document, a moment after the last key. */
  readonly read: DocumentText;
  readonly isChanged: boolean;
  /** What somebody else has saved, and the text does not have yet. */
  readonly newer: StateRecord | null | undefined;
  /** Whether changes of others arrive; undefined until that is known. */
  readonly isConnected: boolean | undefined;
  readonly onChange: () => void;
  /** The text as it is at this moment. */
  readNow(): DocumentText;
  format(): void;
  discard(): void;
  /** Merges what is stored into the text. What overlaps is returned, and waits for `settle`. */
  merge(theirs: StateRecord | null): Overlap | undefined;
  settle(theirs: StateRecord, document: JsonObject): void;
  /** The text was saved as this version. */
  saved(record: StateRecord): void;
}

const settleMs = 200;
const textOf = (record: StateRecord | null) => formatted(record?.state ?? emptyDocument);

interface TextParts {
  readonly key: StateKey;
  readonly opening: Opening;
  readonly editor: RefObject<CodeEditorHandle | null>;
}

/** The text in the editor, and the version that it was made from. */
function useText({ key, opening: { stored, draft }, editor }: TextParts) {
  const queries = useQueryClient();
  const { accountId, slug, env } = key;
  const [base, setBase] = useState<StateRecord | null>(() => draftBase(draft) ?? stored);
  const [read, setRead] = useState<DocumentText>(() => readDocument(draft?.text ?? textOf(stored)));
  const [isChanged, setChanged] = useState(draft !== undefined);
  /** What later calls have to see at once. */
  const now = useRef({ base, text: textOf(base) });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const takeBase = useCallback(
    (record: StateRecord | null) => {
      now.current = { base: record, text: textOf(record) };
      setBase(record);
      const written = { accountId, slug, env };
      queries.setQueryData(stateQuery(written).queryKey, record);
      void forgetState(written);
    },
    [queries, accountId, slug, env],
  );

  /** Looks at the text: whether it is a document, and whether it has to be kept. */
  const look = useCallback(() => {
    clearTimeout(timer.current);
    const text = editor.current?.text();
    if (text === undefined) return undefined;
    const next = readDocument(text);
    setRead(next);
    const { base: from, text: baseText } = now.current;
    setChanged(text !== baseText);
    const name = stateKeyName({ accountId, slug, env });
    const draftOf = { text, baseVersion: from?.version ?? 0, baseText, savedAt: Date.now() };
    const keeping = text === baseText ? drafts.remove(name) : drafts.write(name, draftOf);
    keeping.catch(() => undefined); // a browser that keeps nothing: the text is still in the editor
    return next;
  }, [editor, accountId, slug, env]);

  const setText = useCallback(
    (text: string) => {
      editor.current?.setText(text);
      look();
    },
    [editor, look],
  );
  const onChange = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(look, settleMs);
    setChanged(true);
  };
  const isUntouched = useCallback(() => editor.current?.text() === now.current.text, [editor]);
  return { base, read, isChanged, now, takeBase, look, setText, onChange, isUntouched };
}

export function useDocument(key: StateKey, opening: Opening, editor: RefObject<CodeEditorHandle | null>): EditedDocument {
  const { stored, draft } = opening;
  const { base, read, isChanged, now, look, setText, onChange, isUntouched, ...rest } = useText({ key, opening, editor });
  const [newer, setNewer] = useState<StateRecord | null | undefined>(() =>
    draft !== undefined && draft.baseVersion !== (stored?.version ?? 0) ? stored : undefined,
  );
  const [isConnected, setConnected] = useState<boolean>();
  const known = useRef<StateRecord | null | undefined>(undefined);
  known.current = newer;
  const takeBase = useCallback(
    (record: StateRecord | null) => {
      rest.takeBase(record);
      setNewer(undefined);
    },
    [rest.takeBase],
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
    const mine = look();
    if (mine?.kind !== 'document') return undefined;
    const found = theirs === null ? undefined : merge3(base?.state ?? emptyDocument, theirs.state, mine.value);
    if (theirs !== null && found !== undefined && found.conflicts.length > 0) return { theirs, merge: found };
    settle(theirs, found?.build(new Map()) ?? mine.value);
    return undefined;
  };
  return {
    base,
    read,
    isChanged,
    newer,
    isConnected,
    onChange,
    settle,
    merge,
    readNow: () => look() ?? read,
    format: () => {
      const next = look();
      if (next?.kind === 'document') setText(formatted(next.value));
    },
    discard: () => receiveOver(newer === undefined ? base : newer),
    saved: (record) => {
      takeBase(record);
      const typed = readDocument(editor.current?.text() ?? '');
      // What was typed while the response was under way stays.
      if (typed.kind === 'document' && isSame(typed.value, record.state)) setText(textOf(record));
      else look();
    },
  };

  function receiveOver(record: StateRecord | null): void {
    takeBase(record);
    setText(textOf(record));
  }
}

/** The version that a draft was made from, as far as a merge needs it. */
function draftBase(draft: Draft | undefined): StateRecord | null | undefined {
  if (draft === undefined) return undefined;
  if (draft.baseVersion === 0) return null;
  const read = readDocument(draft.baseText);
  if (read.kind !== 'document') return undefined;
  return { version: draft.baseVersion, state: read.value, comment: null, sizeBytes: read.characters };
}

/** What is stored now, and what was typed before. A draft that changes nothing any more is given up. */
export async function openDocument(key: StateKey): Promise<Opening> {
  const name = stateKeyName(key);
  const [stored, draft] = await Promise.all([readState(key), drafts.read(name).catch(() => undefined)]);
  if (draft === undefined || draft.text !== textOf(stored)) return { stored, draft };
  await drafts.remove(name);
  return { stored, draft: undefined };
}

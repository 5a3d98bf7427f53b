/**
 * A text that is edited over a stored version: of a document, or of a schema. Typed text is never dropped automatically: it is kept as a
 * draft until it is saved or discarded.
 */
import { isJsonObject, type JsonValue } from '@holdfast/json';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { type Draft, drafts } from '../api/drafts.ts';
import { formatted } from '../api/state.ts';
import { type DocumentText, documentOf } from '../json-text/document-text.ts';
import { textChanges } from '../json-text/text-changes.ts';
import type { Version } from './rebase.ts';
import { plainBuffer, type TextBuffer, type Undoable, useTextSteps } from './text-buffer.ts';

/** How the versions of something become texts, and texts its values. */
export interface TextKind<Stored extends Version, Value extends JsonValue> {
  /** The value of a version, or where nothing is stored. */
  readonly contentOf: (stored: Stored | null) => Value;
  readonly read: (text: string) => DocumentText<Value>;
  /** The parts of an earlier version that a merge needs. */
  readonly earlier: (version: number, value: Value, stored: Stored | null) => Stored;
}

/** What an open text begins with. */
export interface Opening<Stored extends Version> {
  readonly stored: Stored | null;
  readonly draft: Draft | undefined;
  /** The name under which unsaved text is kept. */
  readonly draftName: string;
}

export interface OpenText<Stored extends Version, Value extends JsonValue> extends Undoable {
  /** The initial text. */
  readonly firstText: string;
  /** The version that the text is based on; null if nothing is stored. */
  readonly base: Stored | null;
  /** The text as a value, a moment after the last key. */
  readonly read: DocumentText<Value>;
  /** Whether keys were pressed since it was read. */
  readonly isTyping: boolean;
  readonly isChanged: boolean;
  /** Called after each change of the text in its editor. */
  onChange(): void;
  /** Changes the value, unless the text is faulty. Other values keep their text. With `isStep`, it is undone separately. */
  change(edit: (value: Value) => Value, isStep?: boolean): void;
  format(): void;
  /** Reads the current text, and keeps it as a draft. */
  readNow(): DocumentText<Value>;
  setText(text: string): void;
  /** Bases the text on another version. */
  rebase(stored: Stored | null): void;
  /** The same, with the text of that version. */
  take(stored: Stored | null): void;
  /** Drops what was typed. */
  discard(): void;
  /** Whether the text is that of its base. */
  isUntouched(): boolean;
}

const settleMs = 200;

/** The last text that was read. It is not read again, so that its values stay the same objects. */
interface KnownText<Value extends JsonValue> {
  readonly text: string;
  readonly read: DocumentText<Value>;
}

/** What later calls must see immediately. */
interface Now<Stored extends Version, Value extends JsonValue> {
  base: Stored | null;
  baseText: string;
  known: KnownText<Value>;
}

/** `editor`: left out if the text is only changed by value. */
export function useOpenText<Stored extends Version, Value extends JsonValue>(
  kind: TextKind<Stored, Value>,
  opening: Opening<Stored>,
  editor?: RefObject<TextBuffer | null>,
): OpenText<Stored, Value> {
  const { draft, draftName } = opening;
  const [first] = useState(() => begin(kind, opening));
  const [plain] = useState(() => ({ current: plainBuffer(first.text) }));
  const buffer = editor ?? plain;
  const [base, setBase] = useState(first.base);
  const [read, setRead] = useState(first.read);
  const [isChanged, setChanged] = useState(draft !== undefined);
  const [isTyping, setTyping] = useState(false);
  const now = useRef<Now<Stored, Value>>({ base: first.base, baseText: first.baseText, known: first });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const rebase = useCallback(
    (stored: Stored | null) => {
      now.current = { ...now.current, base: stored, baseText: textOf(kind, stored) };
      setBase(stored);
    },
    [kind],
  );
  /** Reads the text, and keeps it as a draft if it differs from its base. Undefined before its editor is loaded. */
  const check = useCallback(() => {
    clearTimeout(timer.current);
    const text = buffer.current?.text();
    if (text === undefined) return undefined;
    const known = readOnce(kind, now.current.known, text);
    now.current.known = known;
    setRead(known.read);
    setTyping(false);
    const { base: from, baseText } = now.current;
    setChanged(text !== baseText);
    const unsaved = { text, baseVersion: from?.version ?? 0, baseText, savedAt: Date.now() };
    const keeping = text === baseText ? drafts.remove(draftName) : drafts.write(draftName, unsaved);
    keeping.catch(() => undefined); // a browser without storage: the text is still in the editor
    return known.read;
  }, [kind, buffer, draftName]);
  const onChange = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(check, settleMs);
    setTyping(true);
    setChanged(true);
  }, [check]);
  const edits = useEdits({ kind, buffer, now, setRead, check, onChange });
  const { setText } = edits;
  const take = useCallback(
    (stored: Stored | null) => {
      rebase(stored);
      setText(textOf(kind, stored));
    },
    [kind, rebase, setText],
  );
  const isUntouched = useCallback(() => buffer.current?.text() === now.current.baseText, [buffer]);
  const shown = { firstText: first.text, base, read, isTyping, isChanged, ...useTextSteps(buffer, read) };
  const readNow = () => check() ?? read;
  return { ...shown, ...edits, onChange, readNow, rebase, take, discard: () => take(base), isUntouched };
}

interface EditParts<Stored extends Version, Value extends JsonValue> {
  readonly kind: TextKind<Stored, Value>;
  readonly buffer: RefObject<TextBuffer | null>;
  readonly now: { readonly current: Now<Stored, Value> };
  readonly setRead: (read: DocumentText<Value>) => void;
  readonly check: () => DocumentText<Value> | undefined;
  readonly onChange: () => void;
}

/** The changes that come from outside the editor of the text. All can be undone there. */
function useEdits<Stored extends Version, Value extends JsonValue>(parts: EditParts<Stored, Value>) {
  const { kind, buffer, now, setRead, check, onChange } = parts;
  const setText = useCallback(
    (text: string) => {
      buffer.current?.setText(text);
      check();
    },
    [buffer, check],
  );
  const change = useCallback(
    (edit: (value: Value) => Value, isStep = false) => {
      const { current } = buffer;
      if (current === null) return;
      const { text, read } = readOnce(kind, now.current.known, current.text());
      if (read.kind === 'fault') return;
      const next = edit(read.value);
      if (!isJsonObject(read.value) || !isJsonObject(next)) return setText(formatted(next));
      current.change(textChanges(text, read.value, next), isStep);
      const after = documentOf(next);
      now.current.known = { text: current.text(), read: after };
      setRead(after);
      onChange();
    },
    [kind, buffer, now, setRead, setText, onChange],
  );
  const step = (name: 'undo' | 'redo') => () => {
    buffer.current?.[name]();
    check();
  };
  const format = () => {
    const read = check();
    if (read?.kind === 'document') setText(formatted(read.value));
  };
  return { setText, change, undo: step('undo'), redo: step('redo'), format };
}

function readOnce<Stored extends Version, Value extends JsonValue>(
  kind: TextKind<Stored, Value>,
  known: KnownText<Value>,
  text: string,
): KnownText<Value> {
  return known.text === text ? known : { text, read: kind.read(text) };
}

const textOf = <Stored extends Version, Value extends JsonValue>(
  kind: TextKind<Stored, Value>,
  stored: Stored | null,
): string => formatted(kind.contentOf(stored));

/** The first text and its base: a draft with the version that it was based on, or the stored version. */
function begin<Stored extends Version, Value extends JsonValue>(
  kind: TextKind<Stored, Value>,
  { stored, draft }: Opening<Stored>,
) {
  if (draft === undefined) {
    const value = kind.contentOf(stored);
    const text = formatted(value);
    return { text, read: documentOf(value), base: stored, baseText: text };
  }
  const base = baseOf(kind, stored, draft);
  return { text: draft.text, read: kind.read(draft.text), base, baseText: textOf(kind, base) };
}

function baseOf<Stored extends Version, Value extends JsonValue>(
  kind: TextKind<Stored, Value>,
  stored: Stored | null,
  { baseVersion, baseText }: Draft,
): Stored | null {
  if (baseVersion === (stored?.version ?? 0)) return stored;
  if (baseVersion === 0) return null;
  const read = kind.read(baseText);
  return read.kind === 'document' ? kind.earlier(baseVersion, read.value, stored) : stored;
}

/** Returns the stored version and an earlier draft. A draft without changes is dropped. Rejects like `stored`. */
export async function openText<Stored extends Version, Value extends JsonValue>(
  kind: TextKind<Stored, Value>,
  draftName: string,
  reading: Promise<Stored | null>,
): Promise<Opening<Stored>> {
  const [stored, draft] = await Promise.all([reading, earlierDraft(draftName)]);
  if (draft === undefined || draft.text !== textOf(kind, stored)) return { stored, draft, draftName };
  await drafts.remove(draftName);
  return { stored, draft: undefined, draftName };
}

/** A draft of an earlier visit; undefined without one, and in a browser without storage. */
export const earlierDraft = (draftName: string): Promise<Draft | undefined> =>
  drafts.read(draftName).catch(() => undefined);

/** The document being edited, as a text over its stored version, and others' later changes. */
import { isSame, type JsonObject } from '@holdfast/json';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { type Proposal, readProposed } from '../api/proposals.ts';
import { forgetState, queryClient, stateQuery } from '../api/queries.ts';
import { emptyDocument, formatted, readState, type StateKey, type StateRecord, stateKeyName } from '../api/state.ts';
import { watchState } from '../api/watch.ts';
import { readDocument } from '../json-text/document-text.ts';
import { textsNow } from '../texts/index.ts';
import { toast } from '../ui/toasts.tsx';
import { earlierDraft, type Opening, type OpenText, openText, type TextKind, useOpenText } from './open-text.ts';
import { type Overlap, rebased } from './rebase.ts';
import type { TextBuffer } from './text-buffer.ts';

export interface DocumentOpening extends Opening<StateRecord> {
  /** The proposal that is edited, if any: its result is the text. */
  readonly proposal?: Proposal;
}

/** What only this file does with the text. */
type Inner = 'change' | 'setText' | 'rebase' | 'take' | 'isTyping' | 'isUntouched';

export interface EditedDocument extends Omit<OpenText<StateRecord, JsonObject>, Inner> {
  /** A version saved by somebody else and not merged into the text. */
  readonly newer: StateRecord | null | undefined;
  /** Whether others' changes arrive; undefined while unknown. */
  readonly isConnected: boolean | undefined;
  /** Changes the text so that it is this document. Other values keep their text. */
  change(document: JsonObject): void;
  /** Merges the stored version into the text. Conflicts are returned, and wait for `settle`. */
  merge(theirs: StateRecord | null): Overlap<StateRecord> | undefined;
  settle(theirs: StateRecord | null, document: JsonObject): void;
  /** The text was saved as this version. */
  saved(record: StateRecord): void;
}

const stateOf = (record: StateRecord | null): JsonObject => record?.state ?? emptyDocument;

const documents: TextKind<StateRecord, JsonObject> = {
  contentOf: stateOf,
  read: readDocument,
  earlier: (version, state) => ({ version, state, comment: null, sizeBytes: 0 }),
};

/** `editor`: left out if the text is not shown. */
export function useDocument(
  key: StateKey,
  opening: DocumentOpening,
  editor?: RefObject<TextBuffer | null>,
): EditedDocument {
  const text = useOpenText(documents, opening, editor);
  const { base, readNow, setText } = text;
  const { newer, isConnected, rebase, take } = useNewer(key, opening, text);
  const change = useCallback((document: JsonObject) => text.change(() => document), [text.change]);
  const settle = (theirs: StateRecord | null, document: JsonObject) => {
    rebase(theirs);
    setText(formatted(document));
  };
  return {
    ...text,
    newer,
    isConnected,
    change,
    discard: () => take(newer === undefined ? base : newer),
    merge: (theirs) => {
      const mine = readNow();
      if (mine.kind === 'fault') return undefined;
      const merged = rebased(theirs, { base, next: mine.value }, stateOf);
      if ('merge' in merged) return merged;
      settle(theirs, merged.next);
      return undefined;
    },
    settle,
    saved: (record) => {
      rebase(record);
      const typed = readNow();
      // Text typed during the request stays.
      if (typed.kind === 'document' && isSame(typed.value, record.state)) setText(formatted(record.state));
    },
  };
}

/** Follows the stored version: it replaces a text without changes. */
function useNewer(key: StateKey, opening: DocumentOpening, text: OpenText<StateRecord, JsonObject>) {
  const { base, rebase: rebaseText, setText, isUntouched } = text;
  const [newer, setNewer] = useState(() => newerThanDraft(opening));
  const [isConnected, setConnected] = useState<boolean>();
  const latest = useRef({ base, newer });
  latest.current = { base, newer };
  const rebase = useCallback(
    (record: StateRecord | null) => {
      rebaseText(record);
      latest.current = { base: record, newer: undefined };
      setNewer(undefined);
      queryClient.setQueryData(stateQuery(key).queryKey, record);
      void forgetState(key);
    },
    [rebaseText, key],
  );
  const take = useCallback(
    (record: StateRecord | null) => {
      rebase(record);
      setText(formatted(stateOf(record)));
    },
    [rebase, setText],
  );
  const receive = useCallback(
    (record: StateRecord | null) => {
      if (!isUntouched()) return setNewer(record);
      take(record);
      if (record !== null) toast(textsNow().state.updated(record.version));
    },
    [isUntouched, take],
  );
  useEffect(() => {
    const known = () => (latest.current.newer === undefined ? latest.current.base : latest.current.newer)?.version ?? 0;
    return watchState(key, { known, onNewer: receive, onConnection: setConnected });
  }, [key, receive]);
  return { newer, isConnected, rebase, take };
}

/** The stored version, if it is not the one that the draft is based on. */
const newerThanDraft = ({ stored, draft }: DocumentOpening): StateRecord | null | undefined =>
  draft !== undefined && draft.baseVersion !== (stored?.version ?? 0) ? stored : undefined;

export const openDocument = (key: StateKey): Promise<DocumentOpening> =>
  openText(documents, stateKeyName(key), readState(key));

/** The same, for editing a proposal: the text is what applying it would make of the stored version. An ended one cannot be edited. */
export async function openProposal(key: StateKey, proposalId: string): Promise<DocumentOpening> {
  const draftName = `${stateKeyName(key)}/${proposalId}`;
  const [proposed, draft] = await Promise.all([readProposed({ ...key, proposalId }), earlierDraft(draftName)]);
  if (proposed === undefined) return openDocument(key);
  const { proposal, stored, document } = proposed;
  const first = { text: formatted(document), baseVersion: stored?.version ?? 0, baseText: formatted(stateOf(stored)) };
  return { stored, draft: draft ?? { ...first, savedAt: Date.now() }, draftName, proposal };
}

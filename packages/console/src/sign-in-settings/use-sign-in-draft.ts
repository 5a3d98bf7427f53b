/** Sign-in settings being edited: unsaved changes are kept in this browser until they are saved or discarded. */
import type { EndUserAuthConfigBody } from '@holdfast/contract';
import { useCallback, useEffect, useState } from 'react';
import { drafts } from '../api/drafts.ts';
import type { ProjectKey } from '../api/queries.ts';

export type SignInSettings = Omit<EndUserAuthConfigBody, 'warnings'>;
type Part = Partial<SignInSettings>;

export interface SignInDraft {
  /** The settings as they would be saved. */
  readonly settings: SignInSettings;
  readonly isChanged: boolean;
  /** When the restored changes were typed, in milliseconds since the epoch; undefined if none were restored. */
  readonly restoredFrom: number | undefined;
  readonly change: (part: Part) => void;
  readonly discard: () => void;
}

const nameOf = ({ accountId, slug }: ProjectKey) => `${accountId}/${slug}/sign-in`;
const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Only changed fields override the stored settings, so that other people's changes stay. */
export function useSignInDraft(project: ProjectKey, stored: SignInSettings): SignInDraft {
  const [part, setPart] = useState<Part>({});
  const [restoredFrom, setRestored] = useState<number>();
  const name = nameOf(project);
  useEffect(() => {
    let isHere = true;
    drafts.read(name).then(
      (draft) => {
        if (!isHere || draft === undefined) return;
        setPart((typed) => ({ ...partOf(draft.text), ...typed }));
        setRestored(draft.savedAt);
      },
      () => undefined, // a browser without storage
    );
    return () => {
      isHere = false;
    };
  }, [name]);
  const keep = useCallback(
    (next: Part) => {
      setPart(next);
      const isSame = isEqual({ ...stored, ...next }, stored);
      const draft = { text: JSON.stringify(next), baseVersion: 0, baseText: '', savedAt: Date.now() };
      const keeping = isSame ? drafts.remove(name) : drafts.write(name, draft);
      keeping.catch(() => undefined);
    },
    [name, stored],
  );
  const settings = { ...stored, ...part };
  const isChanged = !isEqual(settings, stored);
  return {
    settings,
    isChanged,
    restoredFrom: isChanged ? restoredFrom : undefined,
    change: (more) => keep({ ...part, ...more }),
    discard: () => {
      setRestored(undefined);
      keep({});
    },
  };
}

function partOf(text: string): Part {
  const part: unknown = JSON.parse(text);
  return typeof part === 'object' && part !== null ? part : {};
}

/** Reverts a completed action, from the message about it. */
import { textsNow } from '../texts/index.ts';
import { refusalText } from './refusal-text.ts';
import { type ToastAction, toast } from './toasts.tsx';

/** Returns the undo action of a message. `work` reverts, and returns the next message; undefined if it has shown one. */
export function undo(work: () => Promise<string | undefined>): ToastAction {
  const t = textsNow();
  const run = async () => {
    try {
      const said = await work();
      if (said !== undefined) toast(said);
    } catch (error) {
      toast(refusalText(t, error), { isFault: true });
    }
  };
  return { label: t.common.undo, run: () => void run() };
}

interface Version {
  readonly version: number;
}

/**
 * Returns the action that restores the content before a version; undefined if there was none. `revert` takes it and a comment, and returns
 * the new version; undefined if somebody has written since.
 */
export function undoVersion<Before extends object>(
  before: Before | null,
  { version }: Version,
  revert: (before: Before, comment: string) => Promise<Version | undefined>,
): ToastAction | undefined {
  if (before === null) return undefined;
  return undo(async () => {
    const { common } = textsNow();
    const reverted = await revert(before, common.undid(version));
    if (reverted !== undefined) return common.undone(reverted.version);
    toast(common.undoLate, { isFault: true });
    return undefined;
  });
}

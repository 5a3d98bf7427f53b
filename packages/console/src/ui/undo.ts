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

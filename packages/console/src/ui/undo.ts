/** The way back from what was just done, in the message that tells of it. */
import { textsNow } from '../texts/index.ts';
import { refusalText } from './refusal-text.ts';
import { type ToastAction, toast } from './toasts.tsx';

/** Returns what a message offers. `work` takes it back, and returns what to say then; undefined where it has said so itself. */
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

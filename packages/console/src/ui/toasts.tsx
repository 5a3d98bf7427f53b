/** Short messages about what has just happened, with a way to take it back where there is one. */
import { CircleCheck, TriangleAlert, X } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useTexts } from '../texts/index.ts';
import { plain } from './plain-text.ts';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly action?: ToastAction | undefined;
  readonly isFault?: boolean;
}

export interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}

const shownMs = 6_000;
const toastsMax = 4;
const listeners = new Set<() => void>();
let toasts: readonly Toast[] = [];
let lastId = 0;

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Shows a message for a few seconds. */
export function toast(text: string, more: Pick<Toast, 'action' | 'isFault'> = {}): void {
  const id = ++lastId;
  set([...toasts.slice(1 - toastsMax), { id, text, ...more }]);
  setTimeout(() => dismiss(id), shownMs);
}

const dismiss = (id: number) => set(toasts.filter((one) => one.id !== id));
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function Toasts() {
  const t = useTexts();
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div className="toasts" role="status">
      {shown.map(({ id, text, action, isFault }) => (
        <div className="toast" key={id}>
          {isFault ? <TriangleAlert aria-hidden="true" /> : <CircleCheck aria-hidden="true" />}
          <span>{plain(text)}</span>
          {action && (
            <button
              type="button"
              onClick={() => {
                action.run();
                dismiss(id);
              }}
            >
              {action.label}
            </button>
          )}
          <button type="button" aria-label={t.common.close} onClick={() => dismiss(id)}>
            <X />
          </button>
        </div>
      ))}
    </div>
  );
}

/**
 * Short messages about completed actions, with an undo button if possible. They stay while hovered or focused; the key F6 focuses the
 * newest one.
 */
import { CircleCheck, TriangleAlert, X } from 'lucide-react';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useTexts } from '../texts/index.ts';
import { plain } from './plain-text.ts';
import './toasts.css';

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
/** Of a message with a button. */
const offeredMs = 12_000;
const toastsMax = 4;
const listeners = new Set<() => void>();
let toasts: readonly Toast[] = [];
let lastId = 0;
/** Whether somebody is about to use one. */
let isHeld = false;

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Shows a message for a few seconds. */
export function toast(text: string, more: Pick<Toast, 'action' | 'isFault'> = {}): void {
  const id = ++lastId;
  // The same message again takes the place of the earlier one.
  const others = toasts.filter((one) => one.text !== text);
  set([...others.slice(1 - toastsMax), { id, text, ...more }]);
  const ms = more.action === undefined ? shownMs : offeredMs;
  const end = () => {
    if (isHeld) setTimeout(end, ms);
    else dismiss(id);
  };
  setTimeout(end, ms);
}

/** The newest message so far. */
export const newestToast = (): number => lastId;

/** Closes the messages up to one, so that none lies over what opens. Later ones are about what has happened since, and stay. */
export const closeToasts = (newest: number): void => {
  if (toasts.some(({ id }) => id <= newest)) set(toasts.filter(({ id }) => id > newest));
};

const dismiss = (id: number) => set(toasts.filter((one) => one.id !== id));
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function Toasts() {
  const t = useTexts();
  const shown = useSyncExternalStore(subscribe, () => toasts);
  const list = useRef<HTMLDivElement>(null);
  const hold = (next: boolean) => () => {
    isHeld = next;
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const newest = list.current?.lastElementChild?.querySelector('button');
      if (event.key !== 'F6' || newest === null || newest === undefined) return;
      event.preventDefault();
      newest.focus();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  useEffect(() => {
    if (shown.length === 0) isHeld = false;
  }, [shown.length]);
  return (
    <div
      className="toasts"
      role="status"
      aria-keyshortcuts="F6"
      ref={list}
      onPointerEnter={hold(true)}
      onPointerLeave={hold(false)}
      onFocus={hold(true)}
      onBlur={hold(false)}
    >
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

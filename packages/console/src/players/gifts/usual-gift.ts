/** The last gift from this browser to players of a project, with which the next one begins. */
import { pointerOf } from '@holdfast/json';
import type { UserStateKey } from '../../api/state.ts';
import type { Target } from './gifts.ts';

interface Usual {
  /** A JSON Pointer. */
  readonly target: string;
  /** Newest first. */
  readonly reasons: readonly string[];
}

const reasonsMax = 5;
const nothing: Usual = { target: '', reasons: [] };
const nameOf = ({ accountId, slug }: UserStateKey) => `holdfast.gifts:${accountId}/${slug}`;

function usual(key: UserStateKey): Usual {
  try {
    const read: Partial<Record<keyof Usual, unknown>> = JSON.parse(localStorage.getItem(nameOf(key)) ?? '{}');
    const { target, reasons } = read;
    return {
      target: typeof target === 'string' ? target : '',
      reasons: Array.isArray(reasons) ? reasons.filter((one): one is string => typeof one === 'string') : [],
    };
  } catch {
    return nothing; // a browser without storage
  }
}

/** Returns the pointer to begin with: the only one, the last one, or none. */
export function usualTarget(key: UserStateKey, targets: readonly Target[]): string {
  const pointers = targets.map(({ path }) => pointerOf(path));
  const [only, ...others] = pointers;
  if (only !== undefined && others.length === 0) return only;
  const { target } = usual(key);
  return pointers.includes(target) ? target : '';
}

/** The reasons given last, newest first. */
export const usualReasons = (key: UserStateKey): readonly string[] => usual(key).reasons;

export function rememberGift(key: UserStateKey, target: string, reason: string): void {
  try {
    const reasons = [reason, ...usual(key).reasons.filter((one) => one !== reason)].slice(0, reasonsMax);
    localStorage.setItem(nameOf(key), JSON.stringify({ target, reasons } satisfies Usual));
  } catch {
    // The next gift begins with nothing.
  }
}

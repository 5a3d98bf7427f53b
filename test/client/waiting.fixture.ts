/** A save and its changes. */
import { defineMutators } from '@holdfast/client';

export interface Save {
  gold: number;
  log?: string[];
}

export const mutators = defineMutators({
  addGold: (draft: Save, n: number) => {
    draft.gold += n;
  },
  note: (draft: Save, text: string, times = 1) => {
    draft.log = [...(draft.log ?? []), text.repeat(times)];
  },
});

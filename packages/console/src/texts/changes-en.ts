/** The texts of changes and of undoing them in English. */
import type { Widened } from './widened.ts';

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];

export const texts = {
  undo: 'Undo this change',
  undoSome: (count: number) => (count === 1 ? 'Undo 1 change' : `Undo ${count} changes`),
  undoTitle: (version: number) => `Undo version ${version}`,
  undoText: 'Reverts what this version changed. Everything else stays as it is now.',
  nothingToUndo: 'The current document no longer contains any of this.',
  changedSince: (count: number) =>
    count === 1
      ? 'One value has changed again since. It is not ticked.'
      : `${count} values have changed again since. They are not ticked.`,
  showLines: 'Show as JSON',
  hideLines: 'Hide JSON',
  changes: 'Changes',
  firstVersion: 'First version',
  count: (count: number, formatted: string) => (count === 1 ? '1 change' : `${formatted} changes`),
  noChanges: 'Nothing changed',
  flagAdded: (name: string) => `Flag ${name} is new`,
  flagRemoved: (name: string) => `Flag ${name} is removed`,
  fields: (count: number) => (count === 1 ? '1 field' : `${count} fields`),
  entries: (count: number) => (count === 1 ? '1 entry' : `${count} entries`),
  nothing: 'empty',
  isNew: 'New',
  yes: 'yes',
  no: 'no',
  technical: 'Technical',
  entry: (position: number) => (position <= ordinals.length ? `${ordinals[position - 1]} entry` : `entry ${position}`),
  isGone: 'Removed',
  newFindings: 'New with your changes',
  oldFindings: 'Already there',
  findingsMin: (count: number) => `At least ${count} ${count === 1 ? 'problem' : 'problems'}`,
  earlier: (count: number) => (count === 1 ? 'One problem was there before' : `${count} problems were there before`),
  earlierMin: (count: number) =>
    count === 1 ? 'At least one problem was there before' : `At least ${count} problems were there before`,
  checking: 'Checking …',
};

export type ChangeTexts = Widened<typeof texts>;

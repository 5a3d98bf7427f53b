/** The texts of comparing environments and of promoting, in English. */
import type { Widened } from './widened.ts';

export const texts = {
  compareWith: (name: string) => `Compare with ${name}`,
  lead: 'See what differs, and copy changes from one environment to another.',
  from: 'From',
  to: 'To',
  swap: 'Swap',
  same: 'Both environments have the same content.',
  differs: (count: number, name: string) => (count === 1 ? `1 change not in ${name}` : `${count} changes not in ${name}`),
  differsFrom: (count: number, name: string) =>
    count === 1 ? `Differs from ${name} in 1 value` : `Differs from ${name} in ${count} values`,
  parts: 'Changes to promote',
  changesIn: (count: string, path: string) => `${count} ${count === '1' ? 'change' : 'changes'} in ${path}`,
  selected: (count: number, all: number) => `${count} of ${all} selected`,
  preview: (name: string) => `${name} before and after`,
  differences: (name: string) => `All differences from ${name}`,
  promote: (name: string) => `Promote to ${name}`,
  promoteTo: (count: number, env: string) =>
    count === 1 ? `Promote 1 change to ${env}` : `Promote ${count} changes to ${env}`,
  propose: (count: number) => (count === 1 ? 'Propose 1 change' : `Propose ${count} changes`),
  schedule: (count: number) => (count === 1 ? 'Schedule 1 change' : `Schedule ${count} changes`),
  question: (count: number, env: string) =>
    count === 1 ? `Promote 1 change to ${env}?` : `Promote ${count} changes to ${env}?`,
  comment: (from: string, version: number) => `Promoted from ${from}, version ${version}`,
  done: (name: string, version: number) => `${name} is now at version ${version}`,
  moved: (name: string) => `Somebody changed ${name} in the meantime. Check the new difference below.`,
  emptySource: (name: string) => `${name} has no configuration yet.`,
  empty: 'Empty',
  equals: (name: string) => `Same as ${name}`,
  now: (name: string) => `${name} now`,
  after: 'after promotion',
};

export type PromoteTexts = Widened<typeof texts>;

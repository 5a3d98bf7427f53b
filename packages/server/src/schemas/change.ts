/** Applies the rules of change to the documents before and after a write. */
import { violationMessages } from '@holdfast/contract/messages';
import { isJsonObject, type JsonValue } from '@holdfast/json';
import { isNumber, risesAtMost } from './decimal.ts';
import { isSame } from './equality.ts';
import { isOther } from './keywords/objects.ts';
import type { RuleNode, Rules } from './rules.ts';
import type { Run } from './run.ts';

/** A value of a document, or undefined if there is none. */
type Found = JsonValue | undefined;

/** Steps charged for the rules of a value, for a name in the rules or the document, and for an item. */
const stepsOfNode = 2;
const stepsOfNamed = 1;
const stepsOfMember = 4;

/** Records every rule that a player's write from `before` to `after` breaks. Throws `BudgetSpent`. */
export function checkChange(node: RuleNode, before: Found, after: Found, run: Run): void {
  // Values shared with the previous document have not changed.
  if (before === after || run.isSatisfied) return;
  run.enter(stepsOfNode);
  const { rules, referred, properties, others, items, prefix } = node;
  if (rules !== undefined) checkRules(rules, before, after, run);
  if (referred !== undefined) checkChange(referred, before, after, run);
  if (properties.size > 0 || others !== undefined) checkMembers(node, before, after, run);
  if (items !== undefined || prefix.length > 0) checkItems(node, before, after, run);
  run.leave();
}

function checkRules(rules: Rules, before: Found, after: Found, run: Run): void {
  const broken = (keyword: 'x-write' | 'x-append-only') =>
    run.violation(keyword, `${rules.location}/${keyword}`, violationMessages[keyword]);
  if (rules.isServers && !isUnchanged(before, after, run)) broken('x-write');
  const { increaseMax, decreaseMax } = rules;
  if (increaseMax !== undefined || decreaseMax !== undefined) checkSteps(rules, before, after, run);
  if (rules.isAppendOnly && !isAppended(before, after, run)) broken('x-append-only');
}

const isUnchanged = (before: Found, after: Found, run: Run): boolean =>
  before === undefined || after === undefined ? before === after : isSame(before, after, run);

function checkSteps({ location, increaseMax, decreaseMax }: Rules, before: Found, after: Found, run: Run): void {
  const from = before === undefined ? 0 : before;
  const to = after === undefined ? 0 : after;
  for (const [keyword, step] of [
    ['x-increase-max', increaseMax],
    ['x-decrease-max', decreaseMax],
  ] as const) {
    if (step === undefined) continue;
    const at = `${location}/${keyword}`;
    if (!isNumber(from) || !isNumber(to)) {
      if (!isUnchanged(before, after, run)) run.violation(keyword, at, violationMessages.numberForEver);
      continue;
    }
    const isWithin =
      keyword === 'x-increase-max' ? risesAtMost(from, to, step.limit, run) : risesAtMost(to, from, step.limit, run);
    if (!isWithin) run.violation(keyword, at, violationMessages[keyword], { step: step.shown });
  }
}

/** Whether the new items begin with the old ones. */
function isAppended(before: Found = [], after: Found = [], run: Run): boolean {
  if (!Array.isArray(before) || !Array.isArray(after)) return isUnchanged(before, after, run);
  return before.length <= after.length && before.every((item, index) => isSame(item, after[index] ?? null, run));
}

function checkMembers(node: RuleNode, before: Found, after: Found, run: Run): void {
  const { properties, others } = node;
  const from = isJsonObject(before) ? before : {};
  const to = isJsonObject(after) ? after : {};
  const memberOf = (members: typeof from, name: string) => (Object.hasOwn(members, name) ? members[name] : undefined);
  run.spend(stepsOfNamed * properties.size);
  for (const [name, below] of properties) {
    const [was, is] = [memberOf(from, name), memberOf(to, name)];
    if (was === is) continue;
    const around = run.down(name, true);
    checkChange(below, was, is, run);
    run.up(around);
  }
  if (others === undefined) return;
  const all = [...Object.keys(from), ...Object.keys(to)];
  run.spend(stepsOfMember * all.length);
  for (const name of new Set(all)) {
    const [was, is] = [memberOf(from, name), memberOf(to, name)];
    if (was === is || !isOther(node, name, run)) continue;
    run.inside(name, false, () => descend(others, was, is, run));
  }
}

function checkItems({ prefix, items }: RuleNode, before: Found, after: Found, run: Run): void {
  const from = Array.isArray(before) ? before : [];
  const to = Array.isArray(after) ? after : [];
  const length = Math.max(from.length, to.length);
  run.spend(length);
  for (let index = 0; index < length; index++) {
    const below = index < prefix.length ? prefix[index] : items;
    if (below !== undefined && from[index] !== to[index])
      run.inside(index, false, () => descend(below, from[index], to[index], run));
  }
}

function descend(node: RuleNode, before: Found, after: Found, run: Run): boolean {
  checkChange(node, before, after, run);
  return true;
}

/** A second, deliberately simple difference between documents, and pairs of documents for testing both. */
import { type Dice, objectModel, valueModel } from './cases.oracle.ts';
import { type Model, printModel, sortMembers } from './model.oracle.ts';

/** Returns the operations from one value to another, each as text. It compares and prints everything repeatedly. */
export function shortestPatch(from: Model, to: Model, path = ''): string[] {
  if (isSame(from, to)) return [];
  const changes = changesWithin(from, to, path);
  const whole = operationText('replace', path, to);
  return changes === undefined || changes.join(',').length > whole.length ? [whole] : changes;
}

function changesWithin(from: Model, to: Model, path: string): string[] | undefined {
  if (from instanceof Map && to instanceof Map) {
    const changes: string[] = [];
    for (const [name, value] of to) {
      const member = `${path}/${escaped(name)}`;
      const before = from.get(name);
      changes.push(
        ...(before === undefined ? [operationText('add', member, value)] : shortestPatch(before, value, member)),
      );
    }
    for (const name of from.keys()) if (!to.has(name)) changes.push(operationText('remove', `${path}/${escaped(name)}`));
    return changes;
  }
  return Array.isArray(from) && Array.isArray(to) ? elementChanges(from, to, path) : undefined;
}

function elementChanges(from: Model[], to: Model[], path: string): string[] {
  const paired = Math.min(from.length, to.length);
  let begin = 0;
  while (begin < paired && isSame(from[begin] as Model, to[begin] as Model)) begin++;
  let end = 0;
  while (end < paired - begin && isSame(from.at(-1 - end) as Model, to.at(-1 - end) as Model)) end++;
  const changes: string[] = [];
  for (let i = begin; i < paired - end; i++) {
    changes.push(...shortestPatch(from[i] as Model, to[i] as Model, `${path}/${i}`));
  }
  for (let i = from.length - end - 1; i >= paired - end; i--) changes.push(operationText('remove', `${path}/${i}`));
  for (let i = paired - end; i < to.length - end; i++) changes.push(operationText('add', `${path}/${i}`, to[i] as Model));
  return changes;
}

function operationText(op: string, path: string, value?: Model): string {
  return `{"op":"${op}","path":${JSON.stringify(path)}${value === undefined ? '' : `,"value":${printModel(value)}`}}`;
}

function escaped(name: string): string {
  return name.replaceAll(/[~/]/g, (character) => (character === '~' ? '~0' : '~1'));
}

function isSame(left: Model, right: Model): boolean {
  return printModel(sortMembers(left)) === printModel(sortMembers(right));
}

/** Two documents: one in eight pairs is unrelated, the others differ in a few places. */
export function pairOfDocuments(dice: Dice): readonly [Map<string, Model>, Map<string, Model>] {
  const from = dice(2) === 0 ? objectModel(dice, 3) : new Map([...objectModel(dice, 3), ['list', listModel(dice)]]);
  if (dice(8) === 0) return [from, objectModel(dice, 3)];
  let to: Model = from;
  for (let edits = dice(5); edits > 0; edits--) to = edited(to, dice);
  return [from, to instanceof Map ? to : new Map([['', to]])];
}

/** Many elements, most of them equal, so that arrays have much in common at different indexes. */
function listModel(dice: Dice): Model[] {
  const kinds = Array.from({ length: 1 + dice(4) }, () => valueModel(dice, 2));
  return Array.from({ length: dice(12) }, () => kinds[dice(kinds.length)] as Model);
}

/** The value with one change, mostly deep inside. */
function edited(model: Model, dice: Dice): Model {
  if (dice(8) === 0) return valueModel(dice, 2);
  if (Array.isArray(model)) {
    const at = dice(model.length + 1);
    const kind = dice(4);
    const before = model.slice(0, at);
    if (kind === 0) return [...before, valueModel(dice, 2), ...model.slice(at)];
    if (kind === 1) return [...before, ...model.slice(at + 1 + dice(3))];
    if (kind === 2) return [...model.slice(at), ...before];
    return at === model.length ? model : [...before, edited(model[at] as Model, dice), ...model.slice(at + 1)];
  }
  if (!(model instanceof Map)) return valueModel(dice, 1);
  const copy = new Map(model);
  const name = [...model.keys()][dice(model.size + 1)];
  if (name === undefined) for (const [added, value] of objectModel(dice, 2)) copy.set(added, value);
  else if (dice(4) === 0) copy.delete(name);
  else copy.set(name, edited(model.get(name) as Model, dice));
  return copy;
}

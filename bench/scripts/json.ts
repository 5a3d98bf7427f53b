/**
 * Cost of parsing, patching and printing a 250 KB document: medians of interleaved rounds, so that other work affects all rows alike. Run
 * it with `node bench/scripts/json.ts`.
 */

import {
  applyOperations,
  diff,
  type JsonObject,
  type PatchOperation,
  parseJson,
  patchText,
  printJson,
  readOperations,
  spliceOperations,
} from '@holdfast/json';
import { median } from '../../tooling/statistics.ts';

const rounds = 200;
const warmUpRounds = 40;
const documentCharacters = 250_000;

/** A typical game document: nested records, arrays, sentences, times, ids with hexadecimal digits. */
function realisticDocument(characters: number) {
  let state = 12_345;
  const random = (limit: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % limit;
  };
  const words = 'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor'.split(' ');
  const word = () => words[random(words.length)] as string;
  const players: Record<string, object> = {};
  const items: object[] = [];
  for (let i = 0; JSON.stringify({ players, items }).length < characters; i++) {
    players[`p${random(2 ** 24).toString(36)}${i}`] = {
      name: `${word()} ${word()}`,
      score: random(1_000_000),
      ratio: random(10_000) / 10_000,
      position: { x: random(100_000) / 100, y: -random(100_000) / 100, z: 0 },
      tags: [word(), word(), word()],
      active: random(2) === 0,
      lastSeen: new Date(1_780_000_000_000 + random(2 ** 24) * 1000).toISOString(),
      bio: Array.from({ length: 9 }, word).join(' '),
    };
    items.push({
      id: i,
      sku: `7f3e2a10-0a1e-4e5f-${random(2 ** 24).toString(16)}`,
      count: random(100),
      price: random(10_000) / 100,
    });
  }
  return {
    version: 3,
    title: 'Realm "one"',
    settings: { difficulty: 'hard', flags: { a: true, b: null } },
    players,
    items,
  };
}

function operationsOf(...ops: object[]): PatchOperation[] {
  const operations = readOperations(ops);
  if ('kind' in operations) throw new Error(operations.message);
  return operations;
}

const document = realisticDocument(documentCharacters);
const text = JSON.stringify(document);
const withBigNumber = text.replace('"version":3', '"version":9007199254740993');
const withEscapedName = text.replace('"version":3', '"ver\\"sion":3');
const value = parseJson(text) as JsonObject;
const parsedAgain = parseJson(text) as JsonObject;
const names = Object.keys(document.players);
const replaceScore = (share: number) => ({
  op: 'replace',
  path: `/players/${names[Math.floor((names.length - 1) * share)]}/score`,
  value: 1,
});
const early = operationsOf(replaceScore(0));
const middle = operationsOf(replaceScore(0.5));
const late = operationsOf({ op: 'replace', path: `/items/${document.items.length - 1}/count`, value: 1 });
const spread = (count: number) => operationsOf(...Array.from({ length: count }, (_, i) => replaceScore((i + 0.5) / count)));
const parsePatchPrint = (operations: PatchOperation[]) => {
  const result = applyOperations(parseJson(text) as JsonObject, operations);
  return result.kind === 'patched' ? printJson(result.document) : result;
};

const withChange = (change: (copy: typeof document) => void) => {
  const copy = structuredClone(document);
  change(copy);
  return parseJson(JSON.stringify(copy)) as JsonObject;
};
const patched = applyOperations(value, middle);
if (patched.kind === 'failure') throw new Error(patched.message);
const newScore = withChange(({ players }) =>
  Object.assign(Object.values(players)[names.length >> 1] as object, { score: -1 }),
);
const newScores = withChange(({ players }) => {
  for (const player of Object.values(players)) Object.assign(player, { score: -1 });
});
const newItem = withChange(({ items }) => items.splice(items.length >> 1, 0, { id: -1 }));
const tasks: Record<string, () => unknown> = {
  'JSON.parse alone': () => JSON.parse(text),
  parseJson: () => parseJson(text),
  'parseJson, one number beyond a double': () => parseJson(withBigNumber),
  'parseJson, one name with an escape': () => parseJson(withEscapedName),
  printJson: () => printJson(value),
  'patch one member of the parsed document': () => applyOperations(value, middle),
  'parse, patch one member, print': () => parsePatchPrint(middle),
  'splice one member near the start': () => spliceOperations(text, early),
  'splice one member in the middle': () => spliceOperations(text, middle),
  'splice one member at the end': () => spliceOperations(text, late),
  'splice 4 members': () => spliceOperations(text, spread(4)),
  'splice 8 members': () => spliceOperations(text, spread(8)),
  'splice 16 members': () => spliceOperations(text, spread(16)),
  'patchText, one member in the middle': () => patchText(text, middle),
  'diff, nothing differs': () => diff(value, parsedAgain),
  'diff, one member differs, the rest is shared': () => diff(value, patched.document),
  'diff, one member differs': () => diff(value, newScore),
  'diff, one element more in the middle': () => diff(value, newItem),
  'diff, a member of every record differs': () => diff(value, newScores),
};

/** Milliseconds of one run of the task. */
function time(task: () => unknown): number {
  const start = performance.now();
  task();
  return performance.now() - start;
}

const milliseconds = new Map(Object.keys(tasks).map((name): [string, number[]] => [name, []]));
for (let round = 0; round < warmUpRounds + rounds; round++) {
  for (const [name, task] of Object.entries(tasks)) {
    const each = time(task);
    if (round >= warmUpRounds) milliseconds.get(name)?.push(each);
  }
}

const whole = median(milliseconds.get('parse, patch one member, print') as number[]);
console.log(`document of ${text.length} characters, medians of ${rounds} rounds, Node ${process.versions.node}\n`);
console.log(`${'task'.padEnd(44)}${'ms'.padStart(8)}${'of parse, patch, print'.padStart(26)}`);
for (const [name, values] of milliseconds) {
  const each = median(values);
  console.log(`${name.padEnd(44)}${each.toFixed(3).padStart(8)}${`${((100 * each) / whole).toFixed(1)} %`.padStart(26)}`);
}

/** The worst case of a comparison: as many values as possible, all different. It is measured separately, because of its garbage. */
const digits = (first: number) => ({ digits: Array.from({ length: documentCharacters / 2 }, (_, i) => (first + i) % 10) });
const [someDigits, otherDigits] = [digits(0), digits(1)];
const worst = median(Array.from({ length: warmUpRounds }, () => time(() => diff(someDigits, otherDigits))));
console.log(`\ndiff, ${someDigits.digits.length} digits that all differ: ${worst.toFixed(3)} ms`);

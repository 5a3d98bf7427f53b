/** Who gets what, in words. */
import type { JsonObject } from '@holdfast/json';
import type { FlagTexts } from '../texts/flags-en.ts';
import { formatPercent, languageNow } from '../texts/index.ts';
import { plain } from '../ui/plain-text.ts';
import { defaultOf, isOn, variantsOf } from './flag.ts';
import { listText } from './scalars.ts';
import {
  type Comparison,
  type Condition,
  type Outcome,
  readTargeting,
  type Share,
  scalarOperators,
  type Test,
} from './targeting.ts';
import { choiceOf, operandText } from './tests.ts';

/** Further rules are counted. */
const rulesShownMax = 2;

export interface Audience {
  readonly text: string;
  /** Names in it that are no variants of the flag. */
  readonly wrong: readonly string[];
}

/** Returns who gets what, one line for each rule. */
export function audienceOf(f: FlagTexts, flag: JsonObject): readonly Audience[] {
  const { audiences } = f;
  if (!isOn(flag)) return [{ text: audiences.off, wrong: [] }];
  const { rules, otherwise = { kind: 'default' } } = readTargeting(flag.targeting);
  const others = { what: outcomeText(f, otherwise, defaultOf(flag)), wrong: wrongIn(otherwise, flag) };
  if (rules.length === 0) return [{ text: audiences.everyone(others.what), wrong: others.wrong }];
  const shown = rules.slice(0, rules.length > rulesShownMax + 1 ? rulesShownMax : rules.length);
  const more = rules.length - shown.length;
  return [
    ...shown.map(({ when, result }) => ({
      text: audiences.rule(sentenceStart(f, when), outcomeText(f, result, defaultOf(flag))),
      wrong: wrongIn(result, flag),
    })),
    ...(more > 0 ? [{ text: audiences.more(more), wrong: [] }] : []),
    { text: audiences.others(others.what), wrong: others.wrong },
  ];
}

/** Returns the names in an outcome that are no variants of its flag. */
function wrongIn(outcome: Outcome, flag: JsonObject): readonly string[] {
  const named = namesIn(outcome, defaultOf(flag));
  return [...new Set(named)].filter((name) => !Object.hasOwn(variantsOf(flag), name));
}

function namesIn(outcome: Outcome, fallback: string | undefined): readonly string[] {
  if (outcome.kind === 'variant') return [outcome.name];
  if (outcome.kind === 'shares') return outcome.shares.map(({ variant }) => variant);
  return outcome.kind === 'default' && fallback !== undefined ? [fallback] : [];
}

/** A condition at the beginning of a line, with a capital, unless its first word is the name of an attribute. */
function sentenceStart(f: FlagTexts, condition: Condition): string {
  const text = conditionText(f, condition);
  const [first] = condition.parts;
  if (first?.kind === 'attribute' && first.attribute !== 'targetingKey') return text;
  return text.charAt(0).toLocaleUpperCase(languageNow()) + text.slice(1);
}

function conditionText(f: FlagTexts, { join, parts }: Condition): string {
  return parts.map((part) => comparisonText(f, part)).join(` ${join === 'or' ? f.or : f.and} `);
}

function comparisonText(f: FlagTexts, comparison: Comparison): string {
  const { audiences } = f;
  const isNegated = comparison.kind !== 'json' && comparison.negation !== undefined;
  if (comparison.kind === 'json') return audiences.specialCondition;
  if (comparison.kind === 'shared') return (isNegated ? audiences.sharedNot : audiences.shared)(plain(comparison.name));
  const attribute = comparison.attribute === 'targetingKey' ? f.playerId : comparison.attribute;
  const { test } = comparison;
  if (test.kind === 'list' && test.values.length > 0) {
    const anyOf = eitherOf(
      test.values.map((value) => plain(listText([value]))),
      f.or,
    );
    return [plain(attribute), f.tests[isNegated ? '!=' : '=='], anyOf].join(' ');
  }
  const words = testText(f, choiceOf(withoutVersion(test), isNegated));
  return [attribute, words, operandText(test) ?? ''].map(plain).join(' ').trim();
}

/** `DE, AT or CH` */
const eitherOf = (values: readonly string[], or: string): string =>
  [values.slice(0, -1).join(', '), ...values.slice(-1)].filter((part) => part !== '').join(` ${or} `);

/** In a sentence, the value says that it is a version. */
function withoutVersion(test: Test): Test {
  if (test.kind !== 'version') return test;
  const operator = scalarOperators.find((one) => one === (test.operator === '=' ? '==' : test.operator));
  return operator === undefined ? test : { ...test, kind: 'scalar', operator };
}

/** Returns the words of a comparison by its name. */
export function testText({ tests }: FlagTexts, choice: string): string {
  const named = (name: string) => {
    const found = Object.entries(tests).find(([one]) => one === name)?.[1];
    return typeof found === 'string' ? found : undefined;
  };
  return named(choice) ?? tests.negated(named(choice.replace(/^not /, '')) ?? choice);
}

function outcomeText(f: FlagTexts, outcome: Outcome, fallback: string | undefined): string {
  switch (outcome.kind) {
    case 'variant':
      return plain(outcome.name);
    case 'default':
      return fallback === undefined ? f.gameDefault : plain(fallback);
    case 'json':
      return f.audiences.special;
    case 'shares':
      return outcome.shares
        .map((share) => `${formatPercent(shareOf(share, outcome.shares))} ${plain(share.variant)}`)
        .join(', ');
  }
}

/** A share of all, from 0 to 1. */
export function shareOf(share: Share, shares: readonly Share[]): number {
  const weightOf = ({ weight = 1 }: Share) => Math.max(0, weight);
  const total = shares.reduce((sum, one) => sum + weightOf(one), 0);
  return total === 0 ? 0 : weightOf(share) / total;
}

/**
 * Calls every text with a count, in both languages, with 0, 1, 2 and 1,000: 1 has the singular, the others have the plural. No text escapes:
 * each name of a parameter is either a count or listed as something else.
 */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { accountSettingsDe } from '../../../server/src/login/texts/account-settings-de.ts';
import { accountSettingsEn } from '../../../server/src/login/texts/account-settings-en.ts';
import { de as loginDe } from '../../../server/src/login/texts/de.ts';
import { en as loginEn } from '../../../server/src/login/texts/en.ts';

type Language = 'en' | 'de';
type Text = (...values: unknown[]) => string;

const words = (text: string): readonly string[] => text.split(' ');

/** What parameters are, by their names in English. */
const kinds = {
  /** A number of things, as a number or formatted. */
  count: words(
    'added all attempts changed changes checked configuration count days done failed failing found given left more needed publicState refused saves searched seconds shown used versions',
  ),
  /** The count before it, formatted. */
  formatted: words('formatted'),
  /** A text such as `at most 1`. */
  range: words('range'),
  /** A number that names something, or a limit above 1. */
  number: words('current line limit max number place position version'),
  no: words('isMore'),
  text: words(
    'account address ago amount bound bytes character clock column date day elsewhere email end env event field fields file filter flag from game host id key kind lastAt least message most name names path pattern percent provider reason role scope start status step test text then time until uri utc value values variant wait what when where who zone',
  ),
};
type Kind = keyof typeof kinds;
const kindOf = (name: string): Kind | undefined =>
  (Object.keys(kinds) as Kind[]).find((kind) => kinds[kind].includes(name));

/** What may follow a count of 1 and any other count alike. */
const alike: Readonly<Record<Language, readonly string[]>> = {
  en: [
    '',
    'active',
    'by the end of the month at this pace',
    'done',
    'failed',
    'for configuration',
    'for saves',
    'for the configuration',
    'more',
    'ms',
    'of',
    'refused',
    'selected',
    'so far',
  ],
  de: [
    '',
    'Spieler',
    'Treffer',
    'Zeichen',
    'abgelehnt',
    'aktiv',
    'ausgewählt',
    'erledigt',
    'fehlgeschlagen',
    'für Konfiguration',
    'für Spielstände',
    'für die Konfiguration',
    'gestoppt',
    'ms',
    'von',
  ],
};

/** Verbs beside a count that belong to many things, or to one. */
const verbs: Readonly<Record<Language, { readonly many: RegExp; readonly one: RegExp }>> = {
  en: {
    many: /\b(?:are|were|have) #|# \p{L}+ (?:are|were|have|need)(?!\p{L})/u,
    one: /# \p{L}+ (?:is|was|has|needs)(?!\p{L})/u,
  },
  de: {
    many: /\b(?:sind|waren|haben|wurden) #|# \p{L}+ (?:sind|waren|haben|werden|wurden|fehlen|passen|verstießen|bestanden)(?!\p{L})/u,
    one: /# \p{L}+ (?:ist|war|hat|wird|wurde|fehlt|passt|verstieß|bestand)(?!\p{L})/u,
  },
};

const counts = [0, 1, 2, 1_000] as const;
type Count = (typeof counts)[number];
const otherCount = 7;

/** The names of a function's parameters; `?` if they cannot be read. */
const namesOf = (text: Text): readonly string[] =>
  (/^(?:function\s*\w*\s*)?\(?([^)]*?)\)?\s*(?:=>|\{)/.exec(String(text))?.[1] ?? '?')
    .split(',')
    .map((name) => name.replace(/=.*/, '').trim().replace(/^_/, ''))
    .filter((name) => name !== '');

/** The values of all parameters when the one at `counted` is a count. Bit `index` of `formatted` formats the count at that index. */
function valuesOf(
  names: readonly string[],
  language: Language,
  counted: number,
  count: number,
  formatted: number,
): unknown[] {
  const format = new Intl.NumberFormat(language).format;
  const countAt = (index: number) => (index === counted ? count : otherCount);
  return names.map((name, index) => {
    switch (kindOf(name)) {
      case 'count':
        return formatted & (1 << index) ? format(countAt(index)) : countAt(index);
      case 'formatted':
        return format(countAt(index - 1));
      case 'range':
        return `${{ en: 'at most', de: 'höchstens' }[language]} ${format(countAt(index))}`;
      case 'number':
        return otherCount;
      case 'no':
        return false;
      default:
        return 'x';
    }
  });
}

/** A text with `#` in place of its count. */
const shapeOf = (text: string, count: Count): string =>
  text.replace(new RegExp(`(?<![\\d.,])${count === 1_000 ? '1[.,]?000' : count}(?![.,]?\\d)`, 'g'), '#');

const tailsIn = (shape: string): string[] =>
  [...shape.matchAll(/#([^#\d.,:;()·…!?„“”\n]*)/g)].map(([, tail = '']) => tail.trim());

/** Returns what is wrong with a text for 0, 1, 2 and 1,000 things. */
function faultsOf(language: Language, said: Readonly<Record<Count, string>>): string[] {
  const [none, one, many, thousand] = counts.map((count) => shapeOf(said[count], count)) as [
    string,
    string,
    string,
    string,
  ];
  const isAlike = one === many && tailsIn(one).some((tail) => !alike[language].includes(tail));
  const faults: readonly (readonly [boolean, Count])[] = [
    [isAlike || (one.includes('#') && verbs[language].many.test(one)), 1],
    [many.includes('#') && verbs[language].one.test(many), 2],
    [none.includes('#') && none !== many, 0],
    [thousand !== many, 1_000],
  ];
  return faults.filter(([isFault]) => isFault).map(([, count]) => said[count]);
}

/** Returns the faults of a text in each of its counts; a count may be a number or formatted, as the type of the text has it. */
function faultsOfText(text: Text, names: readonly string[], language: Language): string[] {
  const counted = names.flatMap((name, index) => (['count', 'range'].includes(kindOf(name) ?? '') ? [index] : []));
  return counted.flatMap((index) => {
    const tries = Array.from({ length: 1 << names.length }, (_, formatted) => {
      const say = (count: Count) => text(...valuesOf(names, language, index, count, formatted));
      return faultsOf(language, { 0: say(0), 1: say(1), 2: say(2), 1000: say(1_000) });
    });
    return tries.find((faults) => faults.length === 0) ?? tries[0] ?? [];
  });
}

/** Every function below `value`, by its path. */
function functionsIn(value: unknown, path = ''): readonly (readonly [path: string, text: Text])[] {
  if (typeof value === 'function') return [[path, value as Text]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => functionsIn(member, `${path}.${name}`));
}

const load = async (file: string): Promise<unknown> => (await import(join(import.meta.dirname, file))).texts;
const subjects = globSync('*-en.ts', { cwd: import.meta.dirname }).map((file) => file.slice(0, -'-en.ts'.length));
const loaded = subjects.map(async (name) => [name, await load(`${name}-en.ts`), await load(`${name}-de.ts`)] as const);
const catalogues = [
  ...(await Promise.all(loaded)),
  ['login', loginEn, loginDe],
  ['account settings', accountSettingsEn, accountSettingsDe],
] as const;

it.each(catalogues)('every parameter of %s is a count or something else', (_, english) => {
  const names = functionsIn(english).flatMap(([, text]) => namesOf(text));
  expect(names.filter((name) => kindOf(name) === undefined)).toEqual([]);
});

it.each(catalogues)('%s have the singular for 1 and the plural otherwise', (_, english, german) => {
  const inGerman = new Map(functionsIn(german));
  const faults = functionsIn(english).flatMap(([path, text]) =>
    [[text, 'en'] as const, [inGerman.get(path) ?? text, 'de'] as const].flatMap(([one, language]) =>
      faultsOfText(one, namesOf(text), language).map((fault) => `${path}: ${fault}`),
    ),
  );
  expect(faults).toEqual([]);
});

describe('the check', () => {
  it.each<[Language, Text, string]>([
    ['en', (count) => `${count} players`, '1 players'],
    ['en', (count) => `${count} player`, '1 player'],
    ['en', (shown, all) => `${shown} of ${all} rows`, '7 of 1 rows'],
    ['en', (count) => (Number(count) < 2 ? `${count} player` : `${count} players`), '0 player'],
    ['en', (count) => (Number(count) === 2 ? '2 players' : `${count} player`), '1000 player'],
    ['en', (count) => (count === 1 ? 'There are 1 change' : `There are ${count} changes`), 'There are 1 change'],
    ['en', (count) => (count === 1 ? '1 value has' : `${count} values has`), '2 values has'],
    ['de', (count) => `${count} Spieler haben`, '1 Spieler haben'],
    ['de', (count) => `In ${count} Tagen`, 'In 1 Tagen'],
    ['de', (count) => (count === 1 ? '1 Änderung fehlen' : `${count} Änderungen fehlen`), '1 Änderung fehlen'],
  ])('sees in %s: %o', (language, text, fault) => {
    expect(faultsOfText(text, namesOf(text), language)).toContain(fault);
  });

  it.each<[Language, Text]>([
    ['en', (count) => (count === '1' ? '1 player' : `${count} players`)],
    ['en', (count, formatted) => (count === 1 ? '1 change' : `${formatted} changes`)],
    ['en', (count) => (count === 0 ? 'No changes' : count === 1 ? 'One change' : `${count} changes`)],
    ['de', (count) => `${count} Spieler`],
    ['de', (count) => `Übrig: ${count}.`],
  ])('allows in %s: %o', (language, text) => {
    expect(faultsOfText(text, namesOf(text), language)).toEqual([]);
  });
});

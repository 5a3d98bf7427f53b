/** Keys of fields in words. */

/** Words that everybody writes in capitals, and their plurals. */
const abbreviations: ReadonlyMap<string, string> = new Map(
  'id url xp hp mp ui vip npc pvp pve dps fps motd dlc sku faq'.split(' ').flatMap((word) => {
    const capitals = word.toUpperCase();
    return [[word, capitals] as const, [`${word}s`, `${capitals}s`] as const];
  }),
);
/** Keys that are codes: a single letter, capitals, and languages and regions such as `de`, `pt_BR` and `eu-west`. */
const code = /^(?:\p{L}|[\p{Lu}\d_-]+|\p{Ll}{2}(?:_\p{Lu}{2}|(?:-[\p{L}\d]+)*))$/u;
/** A word of a key in camel case, as in `maxHP` and `HTTPServer`, or digits. */
const wordInKey = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\d+/gu;
/** A shorter word has its digits beside it: `utf8`, but `tier 2`. */
const shortWordMax = 3;
/** More of them make an id. */
const digitsMax = 4;

/** Returns a key in words: `dropChance` and `drop_chance` are `Drop chance`. Ids, codes and whatever is no word stay as they are. */
export function keyInWords(key: string): string {
  const parts = key.split(/[_-]/);
  const words = parts.map((part) => part.match(wordInKey) ?? []);
  const digits = words.flat().filter((word) => /\d/.test(word));
  const isWords = parts.every((part, index) => part !== '' && words[index]?.join('') === part);
  const isId = digits.length > 1 || digits.some((one) => one.length > digitsMax) || /^\d/.test(key);
  if (!isWords || isId || (code.test(key) && !abbreviations.has(key))) return key;
  const text = words.map((ofPart) => ofPart.map(inSentence).reduce(followed)).join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function inSentence(word: string): string {
  const lower = word.toLowerCase();
  const isCapitals = word.length > 1 && word === word.toUpperCase();
  return abbreviations.get(lower) ?? (isCapitals ? word : lower);
}

const followed = (text: string, word: string): string =>
  /\d/.test(word) && text.length <= shortWordMax ? text + word : `${text} ${word}`;

import { expect, it } from 'vitest';
import { keyInWords } from './key-in-words.ts';

it.each([
  ['dropChance', 'Drop chance'],
  ['drop_chance', 'Drop chance'],
  ['drop-chance', 'Drop chance'],
  ['DropChance', 'Drop chance'],
  ['gold', 'Gold'],
  ['isActive', 'Is active'],
  ['is_active', 'Is active'],
  ['maxHP', 'Max HP'],
  ['max_hp', 'Max HP'],
  ['HTTPServer', 'HTTP server'],
  ['userIds', 'User IDs'],
  ['id', 'ID'],
  ['motd', 'MOTD'],
  ['tier2', 'Tier 2'],
  ['tier_2_reward', 'Tier 2 reward'],
  ['season_2026', 'Season 2026'],
  ['utf8', 'Utf8'],
  ['größeMax', 'Größe max'],
])('%s is %s', (key, name) => {
  expect(keyInWords(key)).toBe(name);
});

it.each([
  ['a language', ['de', 'en', 'pt_BR', 'pt-BR', 'zh-Hant']],
  ['a region', ['eu-west', 'us-east-1', 'EU']],
  ['capitals', ['MAX_LEVEL', 'GOLD', 'A1']],
  ['a coordinate', ['x', 'Y']],
  ['an id', ['usr_7fK2mQ9xT4', '0x1f', '42', '3f2b8c1e-9d4a', 'item_123456']],
  [
    'what has other characters',
    ['$evaluators', 'a/b', 'drop chance', 'item.count', '', '_', 'a__b', '_private', '日本', '🌊'],
  ],
])('%s stays as it is', (_what, keys) => {
  expect(keys.map(keyInWords)).toEqual(keys);
});

import type { JsonObject } from '@holdfast/json';
import { expect, it } from 'vitest';
import { compare } from '../json-text/changes.ts';
import { hintsOf } from './hints.ts';
import { memberNames, pathNamer } from './names.ts';

const entry = (position: number) => `entry ${position + 1}`;
const hints = hintsOf({
  properties: {
    maxPlayers: { title: 'Größte Gruppe' },
    stock: { additionalProperties: { type: 'integer' } },
    shop: { properties: { items: { items: { properties: { basePrice: { title: 'Price' } } } } } },
  },
});
/** The names of the changed paths. */
const changed = (from: JsonObject, to: JsonObject) => {
  const namesOf = pathNamer([to, from], { hints, entry, language: (code) => `<${code}>` });
  return compare(from, to).changes.map(({ path }) => namesOf(path).join(' › '));
};

it('fields are named by their title, otherwise by their key in words', () => {
  expect(changed({ maxPlayers: 4, dailyGifts: 3 }, { maxPlayers: 5, dailyGifts: 2 })).toEqual([
    'Größte Gruppe',
    'Daily gifts',
  ]);
});

it('elements of a list are named by their identifier or position, and fields in them by their title', () => {
  const shop = (basePrice: number, tag: string) => ({ shop: { items: [{ id: 'sword_iron', basePrice }], tagList: [tag] } });
  expect(changed(shop(1, 'a'), shop(2, 'b'))).toEqual(['Shop › Items › sword_iron › Price', 'Shop › Tag list › entry 1']);
  expect(changed(shop(1, 'a'), { shop: { items: [], tagList: ['a'] } })).toEqual(['Shop › Items › sword_iron']);
});

it('keys that are data stay: ids in a map, ids of texts, and flags', () => {
  const enemy = (maxHealth: number) => ({ maxHealth, dropChance: 1 });
  const enemies = (health: number) => ({ enemies: { sea_wolf: enemy(health), kelp_crab: enemy(2), gull_king: enemy(3) } });
  expect(changed(enemies(1), enemies(9))).toEqual(['Enemies › sea_wolf › Max health']);
  expect(changed({ stock: { iron_bar: 1 } }, { stock: { iron_bar: 2 } })).toEqual(['Stock › iron_bar']);
  const texts = (open: string) => ({
    texts: { de: { menu_shop: { open_now: open } }, en: { menu_shop: { open_now: 'Open' } } },
  });
  expect(changed(texts('Auf'), texts('Offen'))).toEqual(['Texts › <de> › menu_shop › open_now']);
  const flag = (state: string) => ({ flags: { new_shop: { state, defaultVariant: 'on' } } });
  expect(changed(flag('ENABLED'), flag('DISABLED'))).toEqual(['Flags › new_shop › State']);
});

it('names that several members share are followed by their keys, also where the schema alone has one of them', () => {
  const sharing = hintsOf({ properties: { low: { title: 'Price' }, high: { title: 'Price' }, maxPlayers: {} } });
  const nameOf = memberNames(
    [{ drop_chance: 1, low: 1, max_players: 4, speed: 1 }, { dropChance: 2 }],
    sharing.root,
    sharing,
  );
  expect(['drop_chance', 'dropChance', 'low', 'high', 'max_players', 'speed'].map(nameOf)).toEqual([
    'Drop chance (drop_chance)',
    'Drop chance (dropChance)',
    'Price (low)',
    'Price (high)',
    'Max players (max_players)',
    'Speed',
  ]);
  expect(changed({ drop_chance: 1, dropChance: 1 }, { drop_chance: 2, dropChance: 1 })).toEqual([
    'Drop chance (drop_chance)',
  ]);
});

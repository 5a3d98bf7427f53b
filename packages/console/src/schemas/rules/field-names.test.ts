import { expect, it } from 'vitest';
import { texts } from '../../texts/schemas-en.ts';
import { fieldNames, keysText } from './field-names.ts';
import type { FieldPath } from './field-path.ts';

const schema = {
  $defs: { item: { properties: { dropChance: {} } } },
  properties: {
    limits: { title: 'Bounds', properties: { maxPartySize: {}, max_party_size: {} } },
    items: { items: { $ref: '#/$defs/item' } },
    offers: { additionalProperties: { type: 'object' } },
  },
};

it.each<[FieldPath, string, string]>([
  [[{ name: 'limits' }, { name: 'maxPartySize' }], 'Bounds › Max party size (maxPartySize)', 'limits › maxPartySize'],
  [
    [{ name: 'items' }, 'each', { name: 'dropChance' }],
    'Items › each entry › Drop chance',
    'items › each entry › dropChance',
  ],
  [[{ name: 'newField' }], 'New field', 'newField'],
  [[{ name: 'offers' }, { name: 'bigSale' }], 'Offers › bigSale', 'offers › bigSale'],
  [[{ name: 'flags' }, { name: 'newShop' }], 'Flags › newShop', 'flags › newShop'],
  [[], 'the whole content', ''],
])('%j is %s', (path, name, keys) => {
  expect([fieldNames(texts, schema)(path), keysText(texts, path)]).toEqual([name, keys]);
});

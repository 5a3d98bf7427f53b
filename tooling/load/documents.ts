/** The stored and sent documents: a game's public state, the same in every run. */
import { seededRandom } from '../statistics.ts';

const words =
  'amber anchor arrow autumn beacon birch border breeze bronze canyon castle cedar cinder cliff cloud copper coral crown dusk ember falcon feather fern flint forest frost garnet glade granite harbor hazel hollow iron ivory jade lagoon lantern marble meadow mist north oak onyx orchid pearl pine quartz raven ridge river rowan sable shadow silver slate spring stone storm summit thorn timber valley violet willow winter'.split(
    ' ',
  );

interface Item {
  id: string;
  name: string;
  description: string;
  price: { coins: number; gems: number | null };
  stats: { attack: number; defence: number; weight: number; ratio: number };
  tags: string[];
  enabled: boolean;
}

function makeItem(index: number, random: () => number): Item {
  const pick = () => words[Math.floor(random() * words.length)] as string;
  const sentence = (length: number) => Array.from({ length }, pick).join(' ');
  const upTo = (limit: number) => Math.floor(random() * limit);
  return {
    id: `item-${String(index).padStart(5, '0')}`,
    name: sentence(3),
    description: `${sentence(14)}.`,
    price: { coins: upTo(100_000), gems: random() < 0.3 ? upTo(50) : null },
    stats: { attack: upTo(500), defence: upTo(500), weight: upTo(9_000) / 100, ratio: random() },
    tags: Array.from({ length: 1 + upTo(4) }, pick),
    enabled: random() < 0.9,
  };
}

type Shelves = readonly { readonly shelf: string; readonly items: readonly Item[] }[];

const printCatalogue = (shelves: Shelves, padding: string): string =>
  JSON.stringify({ revision: revisionMark, season: 'harvest', limits: { players: 64, ping: 120 }, shelves, padding });

/** A different start and end, so that two texts share only a brace at either end. */
const printUnlike = (shelves: Shelves, padding: string): string =>
  `{ ${JSON.stringify({ padding, stock: shelves, edition: revisionMark }).slice(1)}`;

/** Fills a catalogue with items, ten per shelf, up to the length of its text; returns it padded to the exact length. */
function makeCatalogue(
  characters: number,
  { seed = 20_26, printWith = printCatalogue } = {},
): { text: string; shelves: number } {
  const random = seededRandom(seed);
  const shelves: { shelf: string; items: Item[] }[] = [];
  const print = (padding: string) => printWith(shelves, padding);
  let length = print('').length;
  for (let index = 0; ; index++) {
    const item = makeItem(index, random);
    length += JSON.stringify(item).length + 50;
    if (length > characters - 50) break;
    if (index % 10 === 0) shelves.push({ shelf: `shelf-${index / 10}`, items: [] });
    shelves.at(-1)?.items.push(item);
  }
  return { text: print('.'.repeat(characters - print('').length)), shelves: shelves.length };
}

/** The load replaces this with other numbers of nine digits, so that all writes differ but have the same length. */
export const revisionMark = 100_000_000;

/** A document of exactly 2,048 characters. */
export const smallDocument = makeCatalogue(2_048).text;

/** A document of the same length without common parts: alternating writes change everything. */
export const unlikeDocument = makeCatalogue(2_048, { seed: 7, printWith: printUnlike }).text;

const large = makeCatalogue(250_000);

/** A document of exactly 250,000 characters, about 650 items in objects and arrays up to five levels deep. */
export const largeDocument = large.text;

/** A member in the middle of the large document, a number. */
export const largeDocumentPointer = `/shelves/${Math.floor(large.shelves / 2)}/items/4/price/coins`;

/** The body of a PUT of a document. */
export function replacementBody(document: string): string {
  return `{"state":${document}}`;
}

/** The body of a PATCH that sets one member of the large document. */
export function patchBody(): string {
  return `{"ops":[{"op":"replace","path":"${largeDocumentPointer}","value":${revisionMark}}]}`;
}

import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { portionTurn as portionTurnOf, readInTurn, outgoingTurn as turnOf } from './outgoing-turns.ts';

const mebibyte = 1024 * 1024;
const newResponse = () => new ServerResponse(new IncomingMessage(new Socket()));
const open = newResponse();
const outgoingTurn = (bytes: number) => turnOf(open, bytes);
const portionTurn = () => portionTurnOf(open);
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Requests all turns together. Returns how many came in each turn of the event loop. */
async function turnsOf(asks: readonly (() => undefined | Promise<void>)[]): Promise<number[]> {
  let come = 0;
  for (const ask of asks) {
    const turn = ask();
    if (turn === undefined) come++;
    else void turn.then(() => come++);
  }
  const counts = [come];
  while (come < asks.length) {
    const before = come;
    await nextTurn();
    if (come > before) counts.push(come - before);
  }
  await nextTurn();
  return counts;
}

test('a turn sends large bodies of 2 MiB together, in order of arrival', async () => {
  expect(await turnsOf(Array(7).fill(() => outgoingTurn(mebibyte)))).toEqual([2, 2, 2, 1]);
  expect(await turnsOf(Array(3).fill(() => outgoingTurn(mebibyte / 10)))).toEqual([3]);
});

test('a larger body has its own turn, and so has each portion of a list', async () => {
  expect(await turnsOf(Array(3).fill(() => outgoingTurn(9 * mebibyte)))).toEqual([1, 1, 1]);
  expect(await turnsOf([portionTurn, portionTurn, () => outgoingTurn(1), portionTurn])).toEqual([1, 1, 1, 1]);
});

test('a response closed while it waits continues immediately, and takes no turn from others', async () => {
  const [first, closing, last] = [newResponse(), newResponse(), newResponse()];
  expect(portionTurnOf(first)).toBeUndefined();
  const come: string[] = [];
  const waits = [
    portionTurnOf(closing)?.then(() => come.push('closing')),
    portionTurnOf(last)?.then(() => come.push('last')),
  ];
  closing.destroyed = true;
  closing.emit('close');
  await waits[0];
  expect(come).toEqual(['closing']);
  await nextTurn();
  expect(come).toEqual(['closing', 'last']);
  await Promise.all(waits);
});

test('an account that reads many portions leaves room for others, and a closed response reads none', async () => {
  const ends: (() => void)[] = [];
  const begun: string[] = [];
  const responses = Array.from({ length: 20 }, newResponse);
  const read = (response: ServerResponse, account: string) =>
    readInTurn(response, { account, subject: 'ada' }, () => {
      begun.push(account);
      return new Promise<string>((resolve) => ends.push(() => resolve('read')));
    });
  const turns = async (count: number) => {
    for (let turn = 0; turn < count; turn++) await nextTurn();
  };
  const many = responses.map((response) => read(response, 'many'));
  await turns(20);
  expect(begun).toEqual(Array(4).fill('many'));
  const other = read(newResponse(), 'other');
  await turns(4);
  expect(begun).toEqual([...Array(4).fill('many'), 'other']);

  const closing = responses.slice(4);
  for (const response of closing) {
    response.destroyed = true;
    response.emit('close');
  }
  for (const end of ends) end();
  expect(await other).toBe('read');
  expect(await Promise.all(many)).toEqual([...Array(4).fill('read'), ...Array(16).fill(undefined)]);
  await turns(4);
  expect(begun).toHaveLength(5);
  const later = read(newResponse(), 'many');
  await turns(4);
  ends.at(-1)?.();
  expect(await later).toBe('read');
});

import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { compressIfLong, inCodings } from './compression.ts';
import type { BodyStream, Reply } from './reply.ts';

const text = 'a long text. '.repeat(10_000);

async function* portions(): AsyncGenerator<string[], void, undefined> {
  yield [text];
}

const long = () => ({ status: 200 as const, headers: [], body: portions() });
const isCompressed = ({ headers }: Reply) => headers.includes('gzip');
const iterate = ({ body }: Reply) => (body as BodyStream)[Symbol.asyncIterator]();

async function read(reply: Reply): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const portion of reply.body as BodyStream) for (const piece of portion) pieces.push(Buffer.from(piece));
  const bytes = Buffer.concat(pieces);
  return (isCompressed(reply) ? gunzipSync(bytes) : bytes).toString();
}

test('two bodies are compressed at a time, counted from the decision, and each frees its slot', async () => {
  const replies = await Promise.all(Array.from({ length: 12 }, () => compressIfLong(long(), 'gzip')));
  expect(replies.filter(isCompressed)).toHaveLength(2);
  for (const reply of replies) expect(await read(reply)).toBe(text);

  const [unread, left] = [await compressIfLong(long(), 'gzip'), await compressIfLong(long(), 'gzip')];
  expect([unread, left].map(isCompressed)).toEqual([true, true]);
  expect(isCompressed(await compressIfLong(long(), 'gzip'))).toBe(false);
  await iterate(unread).return?.(); // like a HEAD, or a client that left before the first byte
  const half = iterate(left);
  await half.next();
  await half.return?.();
  await half.return?.(); // a second return does not free another slot

  const again = await Promise.all(Array.from({ length: 4 }, () => compressIfLong(long(), 'gzip')));
  expect(again.filter(isCompressed)).toHaveLength(2);
  for (const reply of again) expect(await read(reply)).toBe(text);
});

test('a body whose source fails frees its slot', async () => {
  async function* failing(): AsyncGenerator<string[], void, undefined> {
    yield [text];
    throw new Error('the source failed');
  }
  for (let round = 0; round < 3; round++) {
    const reply = await compressIfLong({ status: 200, headers: [], body: failing() }, 'gzip');
    expect(isCompressed(reply)).toBe(true);
    await expect(read(reply)).rejects.toThrow('the source failed');
  }
});

test('a cached body is compressed on the first request, once per coding', async () => {
  const made: (string | undefined)[] = [];
  const inCoding = inCodings(Buffer.from(text), (bytes, coding) => {
    made.push(coding);
    return bytes;
  });
  expect(made).toEqual([]);
  const [brotli, again, gzipped] = await Promise.all(['gzip, br', 'br', 'gzip, br;q=0'].map(inCoding));
  expect(made.toSorted()).toEqual(['br', 'gzip']);
  expect(again).toBe(brotli);
  expect(brotliDecompressSync(brotli as Uint8Array).toString()).toBe(text);
  expect(gunzipSync(gzipped as Uint8Array).toString()).toBe(text);
  expect((await inCoding(undefined)).length).toBe(text.length);
  expect((await inCoding('x'.repeat(300))).length).toBe(text.length);
});

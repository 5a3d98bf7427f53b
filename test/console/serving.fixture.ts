/** Served console files. */
import { readdirSync } from 'node:fs';
import { expect } from 'vitest';
import type { TestServer } from '../support/server.ts';

const dist = new URL('../../packages/console/dist/assets/', import.meta.url);
export const names = readdirSync(dist);

/** Expects that the file is the same in every content coding, and can be cached forever. */
export async function compareCodings(server: TestServer, name: string): Promise<void> {
  const path = `/console/assets/${name}`;
  const [plain, brotli, gzip] = await Promise.all(
    ['identity', 'br', 'gzip'].map(async (coding) => {
      const answer = await server.call('HEAD', path, { headers: { 'Accept-Encoding': coding } });
      expect(answer.headers['content-encoding']).toBe(coding === 'identity' ? undefined : coding);
      expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(answer.headers.vary).toBe('Accept-Encoding, Origin');
      return bytesOf(server, path, coding); // already decompressed by fetch
    }),
  );
  expect(brotli?.equals(plain as Buffer)).toBe(true);
  expect(gzip?.equals(plain as Buffer)).toBe(true);
}

async function bytesOf(server: TestServer, path: string, coding: string): Promise<Buffer> {
  const response = await fetch(`${server.baseUrl}${path}`, { headers: { 'Accept-Encoding': coding } });
  return Buffer.from(await response.arrayBuffer());
}

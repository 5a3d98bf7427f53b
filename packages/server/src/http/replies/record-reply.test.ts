import { expect, test } from 'vitest';
import { recordReply } from './record-reply.ts';

test('readers of a large record share its text', () => {
  const stateText = `{"text":"${'é€😀'.repeat(40_000)}"}`;
  const replies = [1, 2].map(() => recordReply({ version: 7, stateText, stateBytes: Buffer.byteLength(stateText) }, '}'));
  for (const { body, headers } of replies) {
    expect(body).toEqual(['{"version":7,"state":', stateText, '}']);
    const bytes = Buffer.byteLength(`{"version":7,"state":${stateText}}`);
    expect(headers.slice(headers.indexOf('Content-Length')).slice(0, 2)).toEqual(['Content-Length', String(bytes)]);
  }
});

import { expect, it } from 'vitest';
import { requestWrites } from './permits.ts';

it('a permit is checked by every hot write, and by no method that reads or counts', () => {
  expect(requestWrites).toEqual(expect.arrayContaining(['writePublicState', 'writeUserState', 'consumeRefreshToken']));
  const others = /^(?:read|list|current|find|count|measure|marks|check|on[A-Z]|close|publish|takeFrom|returnTo|is[A-Z])/;
  expect(requestWrites.filter((name) => others.test(name))).toEqual([]);
});

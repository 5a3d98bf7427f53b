import { expect, it } from 'vitest';
import { isLoopback } from './loopback.ts';

it.each(['localhost', '127.0.0.1', '127.8.9.1', '::1', '[::1]', '0:0:0:0:0:0:0:1', '[::ffff:7f00:1]'])(
  '%s is loopback',
  (host) => expect(isLoopback(host)).toBe(true),
);
it.each(['0.0.0.0', '::', '128.0.0.1', '127.0.0.1.example', 'localhost.example', '::2'])('%s is not loopback', (host) =>
  expect(isLoopback(host)).toBe(false),
);

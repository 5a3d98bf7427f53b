import { expect, it } from 'vitest';
import { isOwnMachine } from './provider-keys.ts';

it.each([
  'https://localhost/',
  'https://LOCALHOST./',
  'https://issuer.localhost/',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://0x7f000001:8787/',
  'https://0.0.0.0/',
  'https://169.254.169.254/',
  'https://[::]/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[fe80::1]/',
])('%s is this machine or its link-local network', (url) => {
  expect(isOwnMachine(url)).toBe(true);
});

it.each([
  'https://issuer.example/',
  'https://localhost.example/',
  'https://notlocalhost/',
  'https://10.0.0.1/',
  'https://128.0.0.1/',
  'https://[2001:db8::1]/',
  'https://[::2]/',
])('%s is elsewhere', (url) => {
  expect(isOwnMachine(url)).toBe(false);
});

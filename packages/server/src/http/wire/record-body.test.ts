import { redirectUrisMax } from '@holdfast/contract';
import { expect, it } from 'vitest';
import { bodyReader } from './record-body.ts';

const many = (item: unknown) => Array.from({ length: 60_000 }, () => item);
it.each([
  ['CreateProjectBody', { slug: 'My Game' }, '"/slug" must be lower-case letters and digits, with single hyphens'],
  [
    'ReplaceEndUserAuthConfigBody',
    () => ({ ...signIn, primaryColor: 'red' }),
    '"/primaryColor" must be a colour of six hexadecimal',
  ],
  [
    'ReplaceEndUserAuthConfigBody',
    () => ({ ...signIn, allowedIdps: ['goggle.com'] }),
    '"/allowedIdps/0" must be password, anonymous, google.com,',
  ],
] as const)('%s: a fault in a text is described in words: case %#', async (name, body, message) => {
  const fault = await bodyReader(name)(typeof body === 'function' ? body() : body).catch((error: Error) => error.message);
  expect(fault).toContain(message);
  expect(fault).not.toMatch(/[\^$\\]|\(\?:/);
});

it.each([
  ['UpdateAccountBody', 'the body must have name or requireSecondFactor'],
  ['ChangeMemberBody', 'the body must have role or environments'],
  ['UpdateProjectBody', 'the body must have name or'],
] as const)('%s: a change of no known member is none', async (name, message) => {
  for (const body of [{}, { nickname: 'x' }]) await expect(bodyReader(name)(body)).rejects.toThrow(message);
});

const signIn = {
  enabled: true,
  redirectUris: [],
  allowedIdps: [],
  logoData: null,
  logoMediaType: null,
  primaryColor: null,
  surfaceColor: null,
  bgColor: null,
};

it.each([
  ['CreateApiKeyBody', { name: 'x', environments: many(1) }, '"/environments/0" must be equal to one of'],
  ['CreateApiKeyBody', { name: 'x', environments: many('staging') }, '"/environments" must not have more than 3 items'],
  ['ReplaceEndUserAuthConfigBody', { ...signIn, allowedIdps: many({}) }, '"/allowedIdps/0" must be string'],
  [
    'ReplaceEndUserAuthConfigBody',
    { ...signIn, redirectUris: many('https://a.example/') },
    `"/redirectUris" must not have more than ${redirectUrisMax} items`,
  ],
  ['ReplaceEndUserAuthConfigBody', many({}), 'the body must be object'],
  [
    'CreateProjectBody',
    Object.fromEntries(many(1).map((_, i) => [`m${i}`, 1])),
    'the body must have required properties slug',
  ],
] as const)('%s: a fault in a large body is reported immediately: case %#', async (name, body, message) => {
  const read = bodyReader(name);
  const milliseconds: number[] = [];
  for (let attempt = 0; attempt < 5; attempt++) {
    const begun = process.threadCpuUsage();
    await expect(read(body)).rejects.toThrow(message);
    const { user, system } = process.threadCpuUsage(begun);
    milliseconds.push((user + system) / 1_000);
  }
  expect(Math.min(...milliseconds)).toBeLessThan(20);
});

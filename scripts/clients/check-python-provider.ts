/**
 * `node scripts/clients/check-python-provider.ts`: runs the Python program in docs/feature-flags.md, and the unmodified OpenFeature
 * provider with flags of each kind. Needs Python and its registry. Exits with 0 if every value is right, otherwise 1.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ask, writesAfter } from '../../tooling/api.ts';
import { publicStatePath, withServer } from '../../tooling/credentials.ts';

const requirements = ['openfeature-sdk==0.10.0', 'openfeature-provider-ofrep==0.3.0'];
const cache = join(import.meta.dirname, '../../node_modules/.cache/check-python-provider');
const page = readFileSync(join(import.meta.dirname, '../../docs/feature-flags.md'), 'utf8');
const documentOfPage = JSON.parse(snippet('json')) as { flags: object };
const programOfPage = snippet('python');

/** Flags with all kinds of results for a provider, in addition to those of the page. */
const onOff = { state: 'ENABLED', variants: { on: true, off: false } };
const flags = {
  ...documentOfPage.flags,
  'in-code': onOff,
  disabled: { ...onOff, state: 'DISABLED', defaultVariant: 'off' },
  broken: { ...onOff, defaultVariant: 'on', targeting: { nope: [] } },
};
const details = `
import json
for key in ["new-shop", "in-code", "disabled", "broken", "none"]:
    found = api.get_client().get_boolean_details(key, True, player)
    print(json.dumps([key, found.value, found.reason, found.error_code]))
`;
const expected = [
  ['new-shop', true, 'TARGETING_MATCH', null],
  ['in-code', true, 'DEFAULT', null],
  ['disabled', true, 'DISABLED', null],
  ['broken', true, 'ERROR', 'PARSE_ERROR'],
  ['none', true, 'ERROR', 'FLAG_NOT_FOUND'],
];

function snippet(language: string): string {
  const found = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(page)?.[1];
  if (found === undefined) throw new Error(`docs/feature-flags.md has no ${language}`);
  return found;
}

/** Returns the Python of an environment with the provider. */
function installed(): string {
  mkdirSync(cache, { recursive: true });
  const python = join(cache, 'bin/python');
  if (!existsSync(python)) execFileSync('python3', ['-m', 'venv', cache], { stdio: 'inherit' });
  execFileSync(python, ['-m', 'pip', 'install', '--quiet', ...requirements], { stdio: 'inherit' });
  return python;
}

/** Returns the output of the program, with a service whose document has the flags. */
function printed(python: string): Promise<string> {
  return withServer({}, async (_server, credentials) => {
    const { baseUrl, apiKey } = credentials;
    const path = publicStatePath(credentials, 'production');
    const body = { state: { ...documentOfPage, flags } };
    await ask({ baseUrl, authorization: `ApiKey ${apiKey}` }, 200, 'PUT', path, { headers: writesAfter(0), body });
    const env = { ...process.env, HOLDFAST_STATE_URL: baseUrl + path, HOLDFAST_API_KEY: apiKey };
    return execFileSync(python, ['-c', programOfPage + details], { env, encoding: 'utf8' });
  });
}

const [first, ...lines] = (await printed(installed())).trimEnd().split('\n');
const found = lines.map((line) => JSON.parse(line) as unknown);
const isRight = first === 'new shop: True' && isDeepStrictEqual(found, expected);
console.log(isRight ? `✓ ${requirements.join(' and ')}` : `✗ ${first}, ${JSON.stringify(found)}`);
if (!isRight) process.exitCode = 1;

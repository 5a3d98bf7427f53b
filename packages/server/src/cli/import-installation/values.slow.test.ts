/** Values that no write could have made. An import names line, kind and field, never the value. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { initialSettings } from '../../storage/contract/sign-in-settings.ts';
import { transferKinds } from '../../storage/transfer/kinds.ts';
import { openImportFile } from './file.ts';
import { changed, ended, exportsOf, first, type Line, passphrase, set } from './lines.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-import-values-'));
let lines: readonly string[] = [];
beforeAll(async () => {
  lines = (await exportsOf(join(folder, 'data'))).alpha;
});
afterAll(() => rmSync(folder, { recursive: true }));

function open(text: readonly string[]) {
  const path = join(folder, 'export');
  writeFileSync(path, `${text.join('\n')}\n`);
  return openImportFile(path, passphrase, { trusts: false });
}

/** Expects that the first record of a kind is refused with these values. */
async function refused(kind: string, title: string, field: string, values: object): Promise<void> {
  const fault = await open(changed(lines, first(kind), set(values))).then(
    () => 'it was taken',
    ({ message }) => String(message),
  );
  expect(fault).toMatch(new RegExp(`^line \\d+ of the export \\(${title}\\) .*"${field}" .`));
  expect(fault).not.toMatch(/javascript|svck|evil/);
  expect(fault.length).toBeLessThan(200);
}
const state = (text: string) => ({ state: text, state_bytes: Buffer.byteLength(text) });

describe('a document must have the stored form', () => {
  const texts = [
    '5',
    '[1,2]',
    '{"a":',
    `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
    '['.repeat(250_000),
    '{"a":1,"a":2}',
    '{"a":1,"\\u0061":2}',
    // One more printed character for each that a duplicate removes.
    '{"a":1,"a":1e21,"b":1e21,"c":1e21,"d":1e21,"e":1e21,"f":1e21}',
    '{ "a":1}',
    `{"a":"${'x'.repeat(256_000)}"}`,
  ];
  it.each(texts.map((text) => [text.slice(0, 40), text]))('%s', async (_, text) => {
    await refused('user_states', 'states of end users', 'state', state(text));
    const version = { ...state(text), depth: 0, checksum: crc32(text) | 0 };
    await refused('public_state_versions', 'versions of public state', 'state', version);
  });

  it('members may be in the order of the patches', async () => {
    const ofNobody = (line: Line) => line.kind === 'user_states' && line.record?.history_bytes === 0;
    await expect(open(changed(lines, ofNobody, set(state('{"b":1,"1":2}'))))).resolves.toBeDefined();
  });
});

it('a sign-in has the client of its own project', async () => {
  const title = transferKinds.sign_ins.title;
  for (const client of ['acc_other.victim', 'svc-developer', ''])
    await refused('sign_ins', title, 'client_id', { client_id: JSON.stringify(client) });
});

it('a user state from before histories is accepted unchanged', async () => {
  const ofNobody = (line: Line) => line.kind === 'user_states' && line.record?.history_bytes === 0;
  const early = { created_at: null, history_version: null, author: null, comment: null };
  await expect(open(changed(lines, ofNobody, set(early)))).resolves.toBeDefined();
});

it('earlier versions of a user state are valid documents, as written, in order', async () => {
  const kind = 'user_state_versions';
  const title = 'versions of states of end users';
  await refused(kind, title, 'state', { checksum: 1 });
  await refused(kind, title, 'version', { version: 9_000_000 });
  await refused(kind, title, 'state', { ...state('[1]'), form: 2, checksum: crc32('[1]') | 0 });

  const versions = lines.map((line): Line => JSON.parse(line)).filter((line) => line.kind === kind);
  const nameOf = (line: Line) => JSON.stringify([line.record?.slug, line.record?.environment, line.record?.end_user_id]);
  const newest = versions.at(-1);
  const userState = lines
    .map((line): Line => JSON.parse(line))
    .find((line) => line.kind === 'user_states' && newest !== undefined && nameOf(line) === nameOf(newest));
  expect(userState?.record).toMatchObject({
    version: Number(newest?.record?.version) + 1,
    history_version: userState?.record?.version,
  });
  const isNewest = (line: Line) => JSON.stringify(line) === JSON.stringify(newest);
  // An empty list of edits gives the same text.
  const { state: text, state_bytes } = userState?.record ?? {};
  const same = { state: '', form: 1, state_bytes, checksum: crc32(String(text)) | 0 };
  await expect(open(changed(lines, isNewest, set(same)))).resolves.toBeDefined();
  for (const values of [{ state: 'no edits' }, { state: '0,1,1:[' }, { state_bytes: 200_000 }, { checksum: 5 }]) {
    const fault = open(changed(lines, isNewest, set({ ...same, ...values })));
    await expect(fault).rejects.toThrow(/^line \d+ of the export \(versions of states of end users\) .*cannot be read/);
  }
});

it('a schema must compile, and must count at least its compiled size', async () => {
  const ofSchema = (schema: string, instructions = 9_000) => ({ schema, instructions });
  const patterns = Object.fromEntries(Array.from({ length: 29_000 }, (_, n) => [`a${n}`, {}]));
  for (const schema of ['{"type":5}', '[1]', '5', '{"a":', JSON.stringify({ patternProperties: patterns })])
    await refused('shapes', 'schemas', 'schema', ofSchema(schema));
  const schema = '{"pattern":"^[a-z]{9}$","x-later":"is kept"}';
  await refused('shapes', 'schemas', 'instructions', ofSchema(schema, 3));
  await expect(open(changed(lines, first('shapes'), set(ofSchema(schema))))).resolves.toBeDefined();
});

it("the total cost of an account's schemas is bounded", async () => {
  const at = lines.findIndex((line) => line.startsWith('{"kind":"shapes"'));
  const { record }: Line = JSON.parse(lines[at] ?? '');
  const many = Array.from({ length: 100 }, (_, n) => {
    const schema = JSON.stringify({ title: '\\p{L}'.repeat(20_000), description: String(n) });
    return JSON.stringify({
      kind: 'shapes',
      record: { ...record, environment: 2, kind: 'user-state', version: 100 + n, schema },
    });
  });
  const after = lines.findLastIndex((line) => line.startsWith('{"kind":"shapes"')) + 1;
  const planted = ended([...lines.slice(0, after), ...many, ...lines.slice(after, -1)]);
  await expect(open(planted)).rejects.toThrow(/\(schemas\) "schema" is one of those that name more than 400000 classes/);
});

it('sign-in settings must be valid for the route', async () => {
  const settings = (change: object) => ({ settings: JSON.stringify({ ...initialSettings, ...change }) });
  const evil = [
    { redirectUris: ['javascript:evil()'] },
    { redirectUris: ['https://evil.example/#a'] },
    { redirectUris: 'https://a.example' },
    { logoData: 'PHN2Zz4=', logoMediaType: 'text/html' },
    { logoMediaType: 'image/png' },
    { logoData: '!', logoMediaType: 'image/png' },
    { primaryColor: 'red;evil' },
    { userStateHistory: { versions: -1, days: 1 } },
    { enabled: 1 },
  ];
  for (const change of evil) await refused('end_user_auth', 'sign-in settings', 'settings', settings(change));
  for (const text of ['{}', '[]', '5', '{'])
    await refused('end_user_auth', 'sign-in settings', 'settings', { settings: text });
  const { userStateHistory, sessionIdleDays, ...early } = initialSettings;
  const before = { settings: JSON.stringify(early) };
  await expect(open(changed(lines, first('end_user_auth'), set(before)))).resolves.toBeDefined();
});

it('audit records end where the account says', async () => {
  const audit = open(changed(lines, first('accounts'), set({ audit_position: 0 })));
  await expect(audit).rejects.toThrow(
    /^line \d+ of the export \(audit records\) "position" is beyond the "audit_position"/,
  );
  await refused('audit_records', 'audit records', 'detail', { detail: '[]' });
  await refused('audit_records', 'audit records', 'detail', { detail: `{"a":${'['.repeat(9_000)}${']'.repeat(9_000)}}` });
  await refused('audit_records', 'audit records', 'detail', { action: 'audit.summarize', detail: '{"a.b":{"to":null}}' });
});

it('provider settings, history bounds and authors must have the stored form', async () => {
  const provider = { clientId: 'c', name: null, issuer: 'https://a.example', tenant: null, teamId: null, keyId: null };
  const isOidc = (line: Line) => line.kind === 'identity_providers' && String(line.record?.provider_id).startsWith('oidc.');
  for (const change of [{ issuer: null }, { issuer: 'file:///etc' }, { clientId: 7 }, { evil: 1 }]) {
    const settings = JSON.stringify({ ...provider, ...change });
    await expect(open(changed(lines, isOidc, set({ settings })))).rejects.toThrow(/\(identity providers\) "settings" ./);
  }
  await refused('projects', 'projects', 'public_state_history', { public_state_history: '{"versions":"all"}' });
  for (const author of ['{}', '{"kind":"root","id":"a"}', '{"kind":"developer","id":"a","evil":1}', '"ada"'])
    await refused('public_state_versions', 'versions of public state', 'author', { author });
});

it('ids are unique', async () => {
  const keys = lines.filter((line) => line.startsWith('{"kind":"api_keys"'));
  const { record }: Line = JSON.parse(keys[0] ?? '');
  const isLast = (line: Line) => line.kind === 'api_keys' && JSON.stringify(line) === keys.at(-1);
  const fault = open(changed(lines, isLast, set({ key_id: record?.key_id })));
  await expect(fault).rejects.toThrow(/^line \d+ of the export \(API keys\) is in it twice/);
});

/** What an import refuses before it stores anything, and its messages. Files are made with and without knowledge of the passphrase. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transferKindNames, transferKinds } from '../../storage/transfer/kinds.ts';
import { unlistedFields, valueFault } from '../../storage/transfer/values.ts';
import { createExportSeal } from '../export/seal.ts';
import { checkText } from '../export/write.ts';
import { openImportFile } from './file.ts';
import { changed, ended, exportsOf, first, type Line, passphrase, set } from './lines.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-import-file-'));
const path = join(folder, 'export');
let exports: Awaited<ReturnType<typeof exportsOf>> = { all: [], alpha: [], beta: [] };

beforeAll(async () => {
  exports = await exportsOf(join(folder, 'data'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function open(lines: readonly string[], { word = passphrase, trusts = false } = {}) {
  writeFileSync(path, `${lines.join('\n')}\n`);
  return openImportFile(path, word, { trusts });
}

const header = (line: Line) => line.holdfast === 'export';

it('an export contains no waiting mail, and an import accepts none', async () => {
  const ofMails = Object.values(exports).flatMap((lines) => lines.filter((line) => line.includes('waiting_mails')));
  expect(ofMails).toEqual([]);
  const planted = JSON.stringify({ kind: 'waiting_mails', record: { mail_hash: { base64: '' }, directory_id: '' } });
  await expect(open(ended([...exports.all.slice(0, -1), planted]))).rejects.toThrow('has an unknown kind');
});

it('an unchanged export is accepted', async () => {
  for (const lines of Object.values(exports)) expect((await open(lines)).records).toBe(lines.length - 2);
});

describe('without the passphrase nothing can be changed', () => {
  it('a wrong passphrase is reported', async () => {
    await expect(open(exports.alpha, { word: 'correct horse battery stable' })).rejects.toThrow(
      'the passphrase does not match the export',
    );
  });

  it('missing, additional, moved, repeated or foreign lines are reported', async () => {
    const lines = exports.alpha;
    const body = lines.slice(0, -1);
    await expect(open(lines.slice(0, -3))).rejects.toThrow('is not complete: its last line is missing');
    await expect(open([...lines, lines[1] ?? ''])).rejects.toThrow(/line \d+ of the export follows its end/);
    await expect(open([...body.slice(0, 9), ...body.slice(10), lines.at(-1) ?? ''])).rejects.toThrow(
      /has \d+ records, and had \d+ when it was written/,
    );
    const versions = body.findIndex((line) => line.startsWith('{"kind":"public_state_versions"')) + 4;
    const swapped = [...body];
    [swapped[versions], swapped[versions + 1]] = [swapped[versions + 1] ?? '', swapped[versions] ?? ''];
    await expect(open(ended(swapped))).rejects.toThrow(/line \d+ of the export .* lines were moved|cannot be read/);
    const audit = body.findIndex((line) => line.startsWith('{"kind":"audit_records"'));
    const moved = [...body];
    [moved[audit], moved[audit + 1]] = [moved[audit + 1] ?? '', moved[audit] ?? ''];
    await expect(open(ended(moved))).rejects.toThrow(/line \d+ of the export .* lines were moved or added/);
    const twice = [...body.slice(0, audit + 1), body[audit] ?? '', ...body.slice(audit + 1)];
    await expect(open(ended(twice))).rejects.toThrow(/line \d+ of the export .* is in it twice/);
    const saves = body.findIndex((line) => line.startsWith('{"kind":"user_states"'));
    const userStateTwice = [...body.slice(0, saves + 1), body[saves] ?? '', ...body.slice(saves + 1)];
    await expect(open(ended(userStateTwice))).rejects.toThrow(/line \d+ of the export .* is in it twice/);
    const spliced = [...body, ...exports.beta.slice(1, -1).filter((line) => line.startsWith('{"kind":"write_repeats"'))];
    expect(spliced.length).toBeGreaterThan(body.length);
    await expect(open(ended(spliced))).rejects.toThrow('belongs to another account than acc_alpha');
  });

  it('a change is reported, even with a matching hash or a foreign MAC', async () => {
    const [line = '', ...rest] = exports.alpha;
    const text = [line, ...rest.slice(0, -1)].map((each) => each.replace('"projects_max":0', '"projects_max":9'));
    await expect(open([...text, exports.alpha.at(-1) ?? ''])).rejects.toThrow('was changed or damaged');
    const end = JSON.parse(ended(text).at(-1) ?? '');
    const { mac } = JSON.parse(exports.alpha.at(-1) ?? '');
    for (const other of [mac, '', 7, undefined, `${mac}00`]) {
      await expect(open([...text, JSON.stringify({ ...end, mac: other })])).rejects.toThrow('its MAC does not fit');
    }
    await expect(open(ended(text, 'another passphrase'))).rejects.toThrow('its MAC does not fit');
    await expect(open(ended(text))).resolves.toBeDefined();
  });

  it('a file without the MAC is accepted only with --trust, then checked like any other', async () => {
    const old = changed(exports.alpha, header, (line) => {
      line.format = 1;
      delete line.kdf;
      // Format 1 has only one cost.
      line.check = createExportSeal(passphrase, String(line.salt)).seal(checkText, 'check');
    });
    await expect(open(old)).rejects.toThrow(/add --trust/);
    await expect(open(old, { trusts: true })).resolves.toMatchObject({ header: { account: 'acc_alpha' } });
    const planted = changed(old, first('projects'), set({ account_id: 'acc_beta' }));
    await expect(open(planted, { trusts: true })).rejects.toThrow('belongs to another account');
  });

  it('the cost of the key is bounded', async () => {
    for (const kdf of [
      { N: 2 ** 26 },
      { N: 1024 },
      { N: 131_071 },
      { r: 10_000 },
      { p: 1_000 },
      { r: 1.5 },
      { name: 'md5' },
      { N: '131072' },
    ]) {
      const lines = changed(exports.alpha, header, (line) => void Object.assign(line.kdf as object, kdf));
      await expect(open(lines)).rejects.toThrow('unknown key derivation');
    }
    await expect(open(changed(exports.alpha, header, set({ salt: '' })))).rejects.toThrow('is damaged');
  });
});

describe('an export with a known passphrase is still untrusted', () => {
  it.each(['../../etc', '', 'acc_', "acc_x' OR 'a'='a", 'acc_ä', `acc_${'a'.repeat(200)}`, 7, ['acc_alpha']])(
    'an account with the id %j is refused',
    async (account) => {
      await expect(open(changed(exports.alpha, header, set({ account })))).rejects.toThrow(
        /the account id in the first line of the export is not valid|is damaged/,
      );
    },
  );

  it('webhooks arrive switched off, and without the networks of an operator', async () => {
    const records = exports.alpha.map((line) => JSON.parse(line) as Line).filter(first('webhooks'));
    expect(records.length).toBeGreaterThan(1);
    const off = { enabled: 0, disabled_reason: 'imported', waiting: 0, next_at: null };
    for (const { record } of records) expect(record).toMatchObject(off);
    expect(exports.all.some((line) => line.includes('webhook_deliveries'))).toBe(false);
    for (const values of [{ enabled: 1 }, { waiting: 1 }]) {
      await expect(open(changed(exports.alpha, first('webhooks'), set(values)))).rejects.toThrow(/\(webhooks\)/);
    }
    const opened = set({ webhook_networks: '["10.0.0.0/8"]' });
    await expect(open(changed(exports.alpha, first('accounts'), opened))).rejects.toThrow(/\(accounts\)/);
  });

  it('another account, or a record of the installation, is refused', async () => {
    await expect(open(changed(exports.alpha, header, set({ account: 'acc_beta' })))).rejects.toThrow(
      'belongs to another account than acc_beta',
    );
    const member = exports.all.find((line) => line.startsWith('{"kind":"members"')) ?? '';
    const place = exports.alpha.findIndex((line) => line.startsWith('{"kind":"audit_records"'));
    const planted = [...exports.alpha.slice(0, place), member, ...exports.alpha.slice(place, -1)];
    await expect(open(ended(planted))).rejects.toThrow(/\(members\) belongs to another account than acc_alpha/);
    const directory = changed(exports.alpha, first('users'), set({ directory_id: '' }));
    await expect(open(directory)).rejects.toThrow(/\(users\) belongs to another account/);
    const key = exports.all.find((line) => line.startsWith('{"kind":"signing_keys"')) ?? '';
    const before = exports.alpha.findIndex((line) => line.startsWith('{"kind":"identities"'));
    const keyed = [...exports.alpha.slice(0, before), key, ...exports.alpha.slice(before, -1)];
    await expect(open(ended(keyed))).rejects.toThrow(/\(signing keys\) belongs to an installation|does not open/);
  });

  it('an account with versions that writes never reach is refused', async () => {
    const far = 2 ** 52 + 1;
    for (const [kind, field] of [
      ['public_state_versions', 'version'],
      ['user_states', 'version'],
      ['environments', 'user_version_ceiling'],
    ] as const) {
      const lines = changed(exports.alpha, first(kind), set({ [field]: far }));
      await expect(open(lines)).rejects.toThrow(`"${field}" is beyond 4503599627370496`);
    }
  });

  it('a developer under the hash of another is refused', async () => {
    const lines = changed(exports.all, first('members'), set({ subject: '"victim"' }));
    await expect(open(lines)).rejects.toThrow('names another developer than its hash');
  });

  it('a reference to a missing record is refused', async () => {
    const without = (kind: string) =>
      ended(exports.alpha.slice(0, -1).filter((line) => !line.startsWith(`{"kind":"${kind}"`)));
    await expect(open(without('projects'))).rejects.toThrow(/refers to a project/);
    await expect(open(without('environments'))).rejects.toThrow(/refers to an environment/);
    await expect(open(without('users'))).rejects.toThrow(/refers to a user/);
    await expect(open(without('user_states'))).rejects.toThrow(/refers to the state of an end user/);
    await expect(open(without('service_accounts'))).rejects.toThrow(/refers to a service account/);
    await expect(open(without('public_state_versions'))).rejects.toThrow(/refers to the newest version of a document/);
    await expect(open(without('accounts'))).rejects.toThrow(/refers to an account/);
  });

  it('a version that contradicts its checksum or counts too few bytes is refused', async () => {
    const version = first('public_state_versions');
    await expect(open(changed(exports.alpha, version, set({ checksum: 1 })))).rejects.toThrow('cannot be read');
    await expect(open(changed(exports.alpha, version, set({ state_bytes: 1 })))).rejects.toThrow(
      'counts with another size',
    );
    await expect(open(changed(exports.alpha, first('user_states'), set({ state_bytes: 1 })))).rejects.toThrow(
      'counts with another size',
    );
  });

  it('every field of every kind is refused with another value', () => {
    // List a new field's allowed values in storage/transfer/values.ts.
    expect(unlistedFields()).toEqual([]);
    const refused: string[] = [];
    const taken: string[] = [];
    // A store without any service run has no mark.
    const mark = { mark_id: 1, served_at: 1, waited_ms: 0, counted_at: 1 };
    const records = new Map<string, { [field: string]: unknown }>([
      ['clock_mark', mark],
      ['marks', { name: 'version_floor', value: 1_000_000 }],
      ['ended_tokens', { token_id: 'a', account_id: 'acc_1', ended_at: 1, expires_at: null, noted_at: 1 }],
    ]);
    for (const text of exports.all) {
      const { kind, record }: Line = JSON.parse(text);
      if (kind !== undefined && record !== undefined && !records.has(kind)) records.set(kind, record);
    }
    for (const kind of transferKindNames) {
      const given = records.get(kind) ?? {};
      const record = Object.fromEntries(
        Object.entries(given).map(([field, value]) => {
          const base64 = (value as { base64?: string } | null)?.base64;
          const sealed = (value as { sealed?: string } | null)?.sealed;
          return [field, base64 ? Buffer.from(base64, 'base64') : sealed ? Buffer.alloc(32) : value];
        }),
      ) as Parameters<typeof valueFault>[1];
      expect(valueFault(kind, record), kind).toBeUndefined();
      for (const field of transferKinds[kind].fields) {
        for (const value of [Number.NaN, -7, 1e300, 'x'.repeat(2 ** 21), '\ud800', new Uint8Array(2 ** 17)]) {
          const fault = valueFault(kind, { ...record, [field]: value });
          (fault === undefined ? taken : refused).push(`${kind}.${field} = ${String(value).slice(0, 9)}`);
          if (fault !== undefined) expect(fault).not.toContain('xxx');
        }
      }
    }
    // A checksum may be negative.
    expect(taken).toEqual(['public_state_versions.checksum = -7', 'user_state_versions.checksum = -7']);
    expect(refused.length).toBeGreaterThan(1_000);
  });
});

it('a line is bounded', async () => {
  writeFileSync(path, Buffer.concat([Buffer.from(`${exports.alpha[0]}\n`), Buffer.alloc(20 * 1024 * 1024, 0x61)]));
  await expect(openImportFile(path, passphrase, { trusts: false })).rejects.toThrow('a line of the export is longer than');
});

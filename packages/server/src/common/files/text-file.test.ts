import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readPassphrase } from '../../cli/passphrase.ts';
import { readEnvironment } from '../../config/config.ts';
import { readTextFile } from './text-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-text-'));
afterAll(() => rmSync(folder, { recursive: true }));
const text = 'SVC_FROM_FILE=one\nSVC_ALSO=zwölf\n';
const mark = '\ufeff';

function written(name: string, bytes: Uint8Array | string): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

it('a byte order mark is not part of the text', () => {
  expect(readTextFile(written('plain', text))).toBe(text);
  expect(readTextFile(written('marked', mark + text))).toBe(text);
  expect(readEnvironment(written('marked.env', mark + text))).toMatchObject({ SVC_FROM_FILE: 'one', SVC_ALSO: 'zwölf' });
  const joined = written('joined.env', `# of two files\n${mark}${text}${mark}${mark}SVC_LATE=two\r\n`);
  expect(readEnvironment(joined)).toMatchObject({ SVC_FROM_FILE: 'one', SVC_LATE: 'two' });
  expect(readPassphrase(written('passphrase', `${mark}correct horse battery\r\n`))).toBe('correct horse battery');
});

it('a file that is not UTF-8 is named, and never read as empty', () => {
  const utf16 = Buffer.from(mark + text, 'utf16le');
  const swapped = Buffer.from(utf16).swap16();
  for (const bytes of [utf16, swapped]) {
    const path = written('utf16', bytes);
    expect(() => readEnvironment(path)).toThrow(`cannot use ${path}: it is UTF-16: save it as UTF-8`);
    expect(() => readPassphrase(path)).toThrow('it is UTF-16');
  }
  for (const bytes of [Buffer.from('SVC_A=one\n', 'utf16le'), Buffer.from('SVC_A=zw\xf6lf\n', 'latin1')]) {
    expect(() => readEnvironment(written('other', bytes))).toThrow('it is not UTF-8');
  }
});

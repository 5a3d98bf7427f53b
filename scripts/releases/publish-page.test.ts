import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GitHub, publishPage } from './publish-page.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-page-'));
const names = ['SHA256SUMS', 'holdfast-linux-x64', 'holdfast.cdx.json'];
const digest = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

beforeAll(() => {
  for (const name of [...names, 'holdfast-image-amd64.tar']) writeFileSync(join(folder, name), name);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** GitHub with these files of the release, or without one. Records the verbs, with the uploaded files. */
function gitHubWith(assets: readonly { readonly name: string; readonly digest: string }[] | undefined) {
  const said: string[] = [];
  const run: GitHub = ([, verb, , ...rest], input) => {
    if (verb === 'view') {
      return assets ? { status: 0, output: JSON.stringify({ assets }) } : { status: 1, output: 'release not found\n' };
    }
    said.push(
      [verb, ...(verb === 'upload' ? rest.map((file) => basename(file)).sort() : []), input ?? ''].join(' ').trim(),
    );
    return { status: 0, output: '' };
  };
  return { run, said };
}

describe('the release page', () => {
  it('is a draft until it has every file, and has no image', () => {
    const { run, said } = gitHubWith(undefined);
    publishPage(folder, 'v0.2.0', 'What is new', run);
    expect(said).toEqual(['create What is new', `upload ${names.join(' ')}`, 'edit']);
  });

  it('gets the missing files the second time, and nothing the third', () => {
    const half = gitHubWith([{ name: 'holdfast-linux-x64', digest: digest('holdfast-linux-x64') }]);
    publishPage(folder, 'v0.2.0', '', half.run);
    expect(half.said).toEqual(['upload SHA256SUMS holdfast.cdx.json', 'edit']);
    const whole = gitHubWith(names.map((name) => ({ name, digest: digest(name) })));
    publishPage(folder, 'v0.2.0', '', whole.run);
    expect(whole.said).toEqual(['edit']);
  });

  it('stays unchanged if a file exists with different content', () => {
    const { run, said } = gitHubWith([{ name: 'holdfast-linux-x64', digest: digest('another') }]);
    expect(() => publishPage(folder, 'v0.2.0', '', run)).toThrow('holdfast-linux-x64: there sha256:');
    expect(said).toEqual([]);
  });
});

import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const read = (name: string) => readFileSync(join(import.meta.dirname, name));
const fonts = globSync('fonts/*.woff2', { cwd: import.meta.dirname }).map((name) => name.replaceAll('\\', '/'));

// Browsers keep a font for ever, so other content needs another name.
it('each font has the start of its SHA-256 in its name', () => {
  expect(fonts).toHaveLength(6);
  const hashed = fonts.map((name) => {
    const hash = createHash('sha256').update(read(name)).digest('hex').slice(0, 8);
    return name.replace(/-\w+(?=\.woff2$)/, `-${hash}`);
  });
  expect(hashed).toEqual(fonts);
});

it('style sheets name each font once', () => {
  const sheets = ['fonts.css', 'mono.css'].map((name) => read(name).toString()).join('');
  const named = [...sheets.matchAll(/url\("\.\/([^"]+)"\)/g)].map(([, name]) => name);
  expect(named.sort()).toEqual(fonts.sort());
});

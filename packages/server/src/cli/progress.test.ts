import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { createProgress } from './progress.ts';

/** Returns what `work` shows on a stream that is a terminal or not. */
function shown(isTerminal: boolean, work: (progress: ReturnType<typeof createProgress>) => void): string {
  let text = '';
  const write = (chunk: Buffer, _encoding: string, callback: () => void) => {
    text += chunk;
    callback();
  };
  work(createProgress(Object.assign(new Writable({ write }), { isTTY: isTerminal }) as unknown as NodeJS.WriteStream));
  return text;
}

it('progress is one line with a bar, which is cleared at the end', () => {
  const text = shown(true, (progress) => {
    progress.show('Looking');
    progress.show('Copying', 0.427);
    progress.show('Copying', 0.5); // too soon after the last
    progress.show('Comparing', 1);
    progress.end();
    progress.end();
  });
  const clear = '\r\u001b[K';
  const lines = ['Looking …', '[########------------]  42 %  Copying …', '[####################] 100 %  Comparing …', ''];
  expect(text).toBe(lines.map((line) => clear + line).join(''));
});

it('progress stays silent without a terminal', () => {
  expect(shown(false, (progress) => progress.show('Copying', 0.5))).toBe('');
});

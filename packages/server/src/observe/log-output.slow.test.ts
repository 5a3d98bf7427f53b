import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';

/** Runs a process that logs to its standard output and then runs `end`; within `shell`, if given. */
function startLogging(lines: number, end: string, shell?: string) {
  return start(
    `
    const { openLogOutput } = await import(${here('./log-output.ts')});
    const { createLog } = await import(${here('./log.ts')});
    const output = await openLogOutput('auto');
    const log = createLog('info', output);
    for (let i = 0; i < ${lines}; i++) {
      log.info({ i, padding: 'x'.repeat(80) }, 'line');
      if (i % 50 === 0) await new Promise(setImmediate);
    }
    ${end}`,
    shell,
  );
}

const here = (file: string) => JSON.stringify(new URL(file, import.meta.url).href);

function start(script: string, shell: string | undefined) {
  const command = [process.execPath, '--input-type=module', '-e', script];
  const [program = '', ...args] = shell === undefined ? command : ['sh', '-c', shell, ...command];
  const child = spawn(program, args, { stdio: 'pipe' });
  return { child, closed: once(child, 'close') as Promise<[number | null]> };
}

const numbersIn = (output: string): (number | undefined)[] =>
  output
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { i?: number }).i);
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);

test.each([
  ['closing its output', 'await output.close();', 0],
  ['process.exit', 'process.exit(3);', 3],
  ['an uncaught exception', 'throw new Error("uncaught");', 1],
  ['having nothing left to do', '', 0],
])('every line is written, in order, if the process ends by %s', async (_, end, status) => {
  const { child, closed } = startLogging(2_000, end);
  const output = await text(child.stdout);
  expect(await closed).toEqual([status, null]);
  expect(numbersIn(output)).toEqual(upTo(2_000));
});

test('a line is written soon, even if no other follows', async () => {
  const { child, closed } = startLogging(1, 'setInterval(() => {}, 1000);');
  const [first] = (await once(child.stdout, 'data')) as [Buffer];
  expect(numbersIn(String(first))).toEqual([0]);
  child.kill();
  await closed;
});

test('a closed pipe ends nothing', async () => {
  const { child, closed } = startLogging(5_000, 'await new Promise((done) => setTimeout(done, 200)); process.exit(4);');
  await once(child.stdout, 'data');
  child.stdout.destroy();
  expect(await closed).toEqual([4, null]);
  await sleep(0);
});

/** A command behind a pipe that is read only on request, and that reports on stderr how the process ended. */
const behindPipe = 'exec 3<&0; { "$0" "$@"; echo "status $?" >&2; } | { read -r _ <&3; cat; }';

describe.skipIf(process.platform !== 'linux')('a pipe with a stalled reader', { concurrent: true }, () => {
  test('delays nothing, and the reader learns the number of missed lines', async () => {
    const lines = 150_000; // 15 MB, of which 8 MiB may wait
    const script = `
      const { createLogSink } = await import(${here('./log-sink.ts')});
      const sink = createLogSink(1);
      for (let i = 0; i < ${lines}; i += 100) {
        const chunk = Array.from({ length: 100 }, (_, j) => JSON.stringify({ i: i + j, padding: 'x'.repeat(80) }) + '\\n');
        sink.add(chunk.join(''), 100);
        sink.flush();
      }
      process.stderr.write('done');
      while (!sink.flush()) await new Promise((done) => setTimeout(done, 5));`;
    const { child, closed } = start(script, behindPipe);
    await once(child.stderr, 'data'); // everything is logged while nobody reads
    child.stdin.write('read\n');
    const numbers: number[] = [];
    let missed = 0;
    for (const line of (await text(child.stdout)).trim().split('\n')) {
      const { i, lines: dropped } = JSON.parse(line) as { i?: number; lines?: number };
      if (i !== undefined) numbers.push(i);
      missed += dropped ?? 0;
    }
    await closed;
    expect(missed).toBeGreaterThan(10_000);
    expect(numbers.length + missed).toBe(lines);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  });

  test.each(['await output.close(); process.exit(5);', 'process.exit(5);'])(
    'does not delay a process that ends by %s',
    async (end) => {
      const { child, closed } = startLogging(10_000, end, behindPipe);
      const [said] = (await once(child.stderr, 'data')) as [Buffer];
      expect(String(said)).toBe('status 5\n');
      child.stdin.end();
      child.stdout.resume();
      await closed;
    },
  );
});

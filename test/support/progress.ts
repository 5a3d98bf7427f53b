/** Reports the progress of a test run every few seconds: files done, files running, time left. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Reporter, TestModule, TestSpecification, Vitest } from 'vitest/node';

const known = join(import.meta.dirname, '../../node_modules/.cache/tests/durations.json');
const everyMilliseconds = 10_000;
/** A shorter run does not need an estimate. */
const filesMin = 20;

/**
 * Returns the reporter. It estimates the remaining time from each file's duration in earlier runs. Vitest also takes it by the path of this
 * file, beside other reporters of a command line.
 */
export default function createProgress(): Reporter {
  const durations = readDurations();
  const running = new Set<string>();
  let vitest: Vitest;
  let left: string[] = [];
  let begun = 0;
  let weight = 0;
  const seen = { files: 0, done: 0, passed: 0, failed: 0 };
  let timer: NodeJS.Timeout | undefined;

  const weightOf = (files: readonly string[]) => files.reduce((sum, file) => sum + (durations.get(file) ?? 1_000), 0);

  function say(): void {
    const elapsed = performance.now() - begun;
    const share = 1 - weightOf(left) / weight;
    const rest = share > 0.05 ? `, about ${clock((elapsed * (1 - share)) / share)} left` : '';
    const failed = seen.failed > 0 ? `, ${seen.failed} failed` : '';
    const now = [...running].slice(-2).map((name) => name.replace(/^\S+ /, ''));
    if (now.length === 0) now.push('building what threads and processes of the tests run');
    vitest.logger.log(
      `${clock(elapsed)}${rest}: ${seen.done} of ${seen.files} files, ${seen.passed} tests passed${failed}; now ${now.join(', ')}`,
    );
  }

  return {
    onInit: (given) => {
      vitest = given;
    },
    onTestRunStart(specifications: readonly TestSpecification[]) {
      left = specifications.map(({ project, moduleId }) => `${project.name} ${relativeTo(vitest, moduleId)}`);
      begun = performance.now();
      weight = weightOf(left);
      Object.assign(seen, { files: left.length, done: 0, passed: 0, failed: 0 });
      if (left.length >= filesMin) timer = setInterval(say, everyMilliseconds);
      timer?.unref();
    },
    onTestModuleStart: (module: TestModule) => void running.add(nameOf(module)),
    onTestModuleEnd(module: TestModule) {
      const name = nameOf(module);
      running.delete(name);
      left = left.filter((other) => other !== name);
      durations.set(name, Math.round(module.diagnostic().duration));
      seen.done++;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') seen.passed++;
        if (state === 'failed') seen.failed++;
      }
    },
    onTestRunEnd() {
      clearInterval(timer);
      mkdirSync(dirname(known), { recursive: true });
      writeFileSync(known, JSON.stringify(Object.fromEntries(durations)));
    },
  };
}

const nameOf = ({ project, relativeModuleId }: TestModule) => `${project.name} ${relativeModuleId}`;
const relativeTo = ({ config }: Vitest, file: string) => file.replace(`${config.root}/`, '');

function clock(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Duration of each file in its last run, in milliseconds; empty after a fresh installation. */
function readDurations(): Map<string, number> {
  try {
    return new Map(Object.entries(JSON.parse(readFileSync(known, 'utf8')) as Record<string, number>));
  } catch {
    return new Map();
  }
}

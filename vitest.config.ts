import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Hundreds of tests open a store, which starts a thread that would compile the same modules each time.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/tests');

/** What measures the memory of a process would measure its neighbours as well: these run last, one after the other. */
const measured = ['test/transport/versions-memory.test.ts'];

const timeouts = { testTimeout: 30_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...timeouts,
          name: 'suite',
          include: ['packages/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: measured,
          // Many tests wait for processes, timers and disks; three at once keep two cores busy.
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
        },
      },
      { test: { ...timeouts, name: 'measured', include: measured, maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
  },
});

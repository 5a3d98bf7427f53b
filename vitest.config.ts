import { readFileSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { SpreadOrder } from './test/support/order.ts';
import createProgress from './test/support/progress.ts';

// Hundreds of tests open a store, which starts a thread that would compile the same modules each time.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/tests');

/**
 * What tests write is removed after them, and needs no disk: a folder in memory takes a sixth of the time off a run. A process that
 * crashes loses nothing there either; what crashes of machines lose is looked at by other means, and `npm run torture` runs on a
 * disk.
 */
if (process.env.TMPDIR === undefined && hasRoomInMemory('/dev/shm')) process.env.TMPDIR = '/dev/shm';

/** Whether a folder lies in memory, has room for a run, and programs in it may be run. */
function hasRoomInMemory(folder: string): boolean {
  const roomMin = 4 * 1024 ** 3;
  try {
    const mounts = readFileSync('/proc/self/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '));
    const [, , type, options] = mounts.findLast(([, path]) => path === folder) ?? [];
    const { bavail, bsize } = statfsSync(folder);
    return type === 'tmpfs' && !options?.split(',').includes('noexec') && bavail * bsize >= roomMin;
  } catch {
    return false; // no Linux
  }
}

/**
 * Which tests a run has. `npm test` has the quick ones (`--mode quick`), which say within minutes whether the product works on both
 * engines; `npm run test:rest` has all others (`--mode rest`), and `npm run test:all` both. A file is slow if its name says so:
 * `*.slow.test.ts`, `*.slow.postgres.test.ts`. CONTRIBUTING.md says what belongs where.
 */
type Mode = 'quick' | 'rest' | 'all';

const slow = ['**/*.slow.test.ts', '**/*.slow.postgres.test.ts'];

/** Returns the patterns of the slow files among those that these patterns find. */
function slowOf(patterns: readonly string[]): string[] {
  return patterns.map((pattern) => pattern.replace(/\*((?:\.postgres)?\.test\.ts)$/, '*.slow$1'));
}

/** What measures the memory of a process needs a processor that collects its garbage in time: these run last, one for each engine. */
const measured = ['test/transport/versions-memory.slow.test.ts'];

/** What needs PostgreSQL whatever engine it is that the servers of the tests run on. */
const postgresOnly = ['packages/server/src/storage/postgres/**/*.test.ts', '**/*.postgres.test.ts'];

/** What goes through the front door, and so runs on every engine. */
const throughTheFrontDoor = ['test/{http,login,oauth,transport}/**/*.test.ts', 'test/crash*.test.ts'];

/**
 * What `npm test` sends through the front door of both engines: states, sign-in, sessions and members, and how an engine fails and stops.
 * What the other files ask of a store is in the storage contract, which both engines keep in `npm test`. They mostly try what is decided
 * above it (bodies, headers, pages, roles), on the embedded engine, and on the second one in the rest.
 */
const quickOnBoth = [
  'test/http/{conditions,history,user-state,user-state-history,webhooks}.test.ts',
  'test/oauth/{authorization-code,logout,members,refresh}.test.ts',
  'test/transport/hung-up.test.ts',
];

/**
 * Here no request reaches the store that does not in the tests beside it, whether it is looked at in a browser or byte by byte:
 * the embedded engine will do.
 */
const engineApart = [
  'test/http/{any-host,client-file,compressed,large-bodies,paths,record-bodies,typed-calls}.*test.ts',
  'test/login/{account-browser,appearance,browser,example,guessing,hostile-forms,tabs,tabs-forms}.*test.ts',
  'test/transport/{api-version,body-*,connection,connections,cors,fuzz,methods,parameters,pipelining,request-id,shutdown-limit,smuggling}.*test.ts',
];

const noTests = ['**/node_modules/**'];
/** These end what hangs, and bound nothing: a busy machine must not fail a test. */
const patience = (milliseconds: number) =>
  ({ testTimeout: milliseconds, hookTimeout: milliseconds, expect: { poll: { timeout: 60_000 } } }) as const;
const timeouts = patience(180_000);

/** Threads run files that were bundled before. The rest of the program runs as it is in the repository. */
const programFiles = join(import.meta.dirname, 'test/support/program-files.ts');
const built = join(import.meta.dirname, 'test/support/built.ts');
const unstub = join(import.meta.dirname, 'test/support/unstub.ts');
const threadsOfTests = {
  name: 'threads-of-tests',
  enforce: 'pre',
  resolveId: (source: string) => (source.endsWith('/program-files.ts') ? programFiles : undefined),
} as const;

const overSqlite = { ...timeouts, setupFiles: [unstub], provide: { engine: 'sqlite' as const }, globalSetup: built };
/** Starts one PostgreSQL for all tests of the project, and only when any of them is to run. */
const overPostgres = {
  setupFiles: [unstub, 'packages/server/src/storage/postgres/statements/recorded.fixture.ts'],
  // A cluster of several machines has a commit on each.
  ...(process.env.CITUS_DATABASE_URL === undefined ? timeouts : patience(900_000)),
  provide: { engine: 'postgresql' as const },
  globalSetup: [built, 'packages/server/src/storage/postgres/fixtures/global-setup.fixture.ts'],
};

/**
 * Many tests wait for processes, timers and disks, so a few more files at once than cores keep two cores busy; more than that cost more than
 * they bring. Files follow each other in one process, which loads and compiles the same modules once: with seven processes, the same tests
 * took a third more processor time than with four. Slow tests wait longer.
 */
const together = (mode: Mode) =>
  ({ maxWorkers: mode === 'quick' ? 4 : 5, isolate: false, sequence: { groupOrder: 0 } }) as const;
const afterwards = { maxWorkers: 2, isolate: true, sequence: { groupOrder: 1 } };

/** The files of a project in this mode: those that the patterns find, without the others. */
function files(
  mode: Mode,
  patterns: readonly string[],
  others: readonly string[],
): { include: string[]; exclude: string[] } {
  return {
    include: mode === 'rest' ? slowOf(patterns) : [...patterns],
    exclude: [...noTests, ...others, ...(mode === 'quick' ? slow : [])],
  };
}

/** Those of the front door on the second engine: `npm test` has some of them, and the rest has all others, slow or not. */
function onTheSecondEngine(mode: Mode) {
  const others = [...measured, ...engineApart];
  if (mode === 'quick') return files('quick', [...postgresOnly, ...quickOnBoth], others);
  if (mode === 'all') return files('all', [...postgresOnly, ...throughTheFrontDoor], others);
  const quick = [...quickOnBoth, 'test/**/!(*.slow).postgres.test.ts'];
  return files('all', [...slowOf(postgresOnly), ...throughTheFrontDoor], [...others, ...quick]);
}

export default defineConfig(({ mode }) => {
  const chosen: Mode = mode === 'quick' || mode === 'rest' ? mode : 'all';
  return {
    test: {
      reporters: ['default', createProgress()],
      sequence: { sequencer: SpreadOrder },
      projects: [
        {
          plugins: [threadsOfTests],
          test: {
            ...overSqlite,
            ...together(chosen),
            name: 'suite',
            ...files(chosen, ['{packages,test,scripts}/**/*.test.ts'], [...measured, ...postgresOnly]),
          },
        },
        {
          plugins: [threadsOfTests],
          test: {
            ...overPostgres,
            ...together(chosen),
            name: 'postgres',
            ...onTheSecondEngine(chosen),
          },
        },
        {
          plugins: [threadsOfTests],
          test: { ...overSqlite, ...afterwards, name: 'measured', ...files(chosen, measured, []) },
        },
        {
          plugins: [threadsOfTests],
          test: { ...overPostgres, ...afterwards, name: 'measured-postgres', ...files(chosen, measured, []) },
        },
      ],
    },
  };
});

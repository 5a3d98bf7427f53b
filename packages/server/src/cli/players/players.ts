/** `holdfast players import`: imports user states from another service. */
import { repeatRaced } from '../../common/async/repeat-raced.ts';
import { now } from '../../common/time/clock.ts';
import type { Config } from '../../config/config.ts';
import { operatorSubject } from '../../oauth/access-token-claims.ts';
import { compileStateSchema } from '../../schemas/compile-state-schema.ts';
import { compileHere, violationsOf } from '../../state/evaluation/document-validation.ts';
import { createUserStateRetentions, type UserStateRetentions } from '../../state/user-state-retention.ts';
import { schemaViolation } from '../../state/validation/refusals.ts';
import { ViolationReports } from '../../state/validation/violation-reports.ts';
import { noWriteChecks, WriteChecksCache } from '../../state/validation/write-checks.ts';
import type { ProjectKey } from '../../storage/contract/projects.ts';
import type { NewUserState, UserStateKey } from '../../storage/contract/user-states.ts';
import type { Store } from '../../storage/store.ts';
import { CommandFault } from '../fault.ts';
import { byCommand, withOperator } from '../operator.ts';
import { printJson, printTable } from '../print.ts';
import { createProgress, type Progress } from '../progress.ts';
import { formatCount } from '../units.ts';
import { type LineFault, readUserStateLines, type UserStateLine } from './player-lines.ts';

export interface ImportOptions {
  readonly account: string;
  readonly project: string;
  readonly check?: true;
  readonly replace?: true;
  readonly json?: true;
}

/** Lines whose user states are written together. */
const linesAtOnce = 32;
/** How many lines are listed individually. */
const namedMax = 20;

/** The outcome of a line: written, already stored as in the file, or left alone because another user state exists. */
type LineOutcome = 'created' | 'replaced' | 'same' | 'different';

/** The lines of a file by outcome, and the first that were left alone. */
interface Imported extends Record<LineOutcome, number> {
  lines: number;
  readonly leftAlone: number[];
}

/**
 * Writes the user states of a file. All lines are read before the first write: if any is wrong, it throws a `CommandFault`, which says
 * which, and writes nothing. An interrupted run can be repeated: what is stored already is skipped.
 */
export async function importPlayersCommand(config: Config, file: string, options: ImportOptions): Promise<void> {
  const project = { accountId: options.account, slug: options.project };
  const progress = createProgress();
  try {
    const imported = await withOperator(config, async (store) => {
      if ((await store.findProject(project)) === undefined) {
        throw new CommandFault(`there is no project "${project.slug}" in the account ${project.accountId}`);
      }
      const read = readerOf(store, project, file);
      const lines = await checkLines(file, read, progress);
      const none: Imported = { lines, created: 0, replaced: 0, same: 0, different: 0, leftAlone: [] };
      return options.check
        ? none
        : importLines(store, project, read, none, { replaces: options.replace === true, progress });
    });
    progress.end();
    print(imported, options);
  } finally {
    progress.end();
  }
}

type ReadLines = () => AsyncGenerator<UserStateLine | LineFault, void, undefined>;

/** Returns a reader of a file's lines. A user state that violates an enforced schema is a wrong line, just as a write would be refused. */
function readerOf(store: Store, project: ProjectKey, file: string): ReadLines {
  compileHere((text) => compileStateSchema(text).compiled);
  const schemas = new WriteChecksCache(store, new ViolationReports(), noWriteChecks.checkFlags).of<UserStateKey>(
    'user-state',
  );
  return async function* () {
    for await (const line of readUserStateLines(file)) {
      if ('message' in line) {
        yield line;
        continue;
      }
      const { number, playerId, environment, stateText } = line;
      const schema = (await schemas.find({ ...project, environment, playerId }, false))?.schema;
      const isHeld = schema !== undefined && schema.mode === 'enforce';
      const violations = (isHeld ? violationsOf(schema, { text: stateText }, false) : undefined) ?? [];
      yield violations.length === 0 ? line : { number, message: schemaViolation(violations).message };
    }
  };
}

/** Reads all lines and returns their number. Throws a `CommandFault` that lists the first wrong lines. */
async function checkLines(file: string, read: ReadLines, progress: Progress): Promise<number> {
  const faults: string[] = [];
  let [lines, wrong] = [0, 0];
  try {
    for await (const line of read()) {
      lines += 1;
      if (lines % 1_000 === 0) progress.show(`Reading line ${formatCount(line.number)}`);
      if (!('message' in line)) continue;
      wrong += 1;
      if (faults.length < namedMax) faults.push(`line ${line.number}: ${line.message}`);
    }
  } catch (error) {
    throw new CommandFault(`cannot read ${file}: ${error instanceof Error ? error.message : error}`);
  }
  if (wrong === 0) return lines;
  const more = wrong > faults.length ? [`and ${formatCount(wrong - faults.length)} more lines`] : [];
  throw new CommandFault(`${formatCount(wrong)} lines of ${file} are wrong; nothing was imported`, ...faults, ...more);
}

async function importLines(
  store: Store,
  project: ProjectKey,
  read: ReadLines,
  imported: Imported,
  { replaces, progress }: { readonly replaces: boolean; readonly progress: Progress },
): Promise<Imported> {
  const retentions = createUserStateRetentions(store, now);
  let [passed, batch] = [0, [] as UserStateLine[]];
  const write = async () => {
    const outcomes = await Promise.all(batch.map((line) => importLine(store, project, line, replaces, retentions)));
    for (const [index, outcome] of outcomes.entries()) {
      imported[outcome] += 1;
      if (outcome === 'different' && imported.leftAlone.length < namedMax)
        imported.leftAlone.push(batch[index]?.number ?? 0);
    }
    passed += batch.length;
    batch = [];
    progress.show(`Importing ${formatCount(imported.lines)} saves`, imported.lines === 0 ? 1 : passed / imported.lines);
  };
  for await (const line of read()) {
    if ('message' in line)
      throw new CommandFault(`line ${line.number}: ${line.message}; the file or a schema has changed meanwhile`);
    batch.push(line);
    if (batch.length === linesAtOnce) await write();
  }
  await write();
  return imported;
}

/** How often a line is written if other writes of the same user state come first. */
const racesMax = 5;

async function importLine(
  store: Store,
  project: ProjectKey,
  { number, playerId, environment, stateText }: UserStateLine,
  replaces: boolean,
  retentions: UserStateRetentions,
): Promise<LineOutcome> {
  const key = { ...project, playerId, environment };
  const result = await repeatRaced(racesMax, async (): Promise<LineOutcome | 'raced'> => {
    const found = await store.readUserState(key);
    const before = found.kind === 'present' ? found.record : undefined;
    if (before?.stateText === stateText) return 'same';
    if (before !== undefined && !replaces) return 'different';
    const by = byCommand();
    const next: NewUserState = {
      stateText,
      stateBytes: Buffer.byteLength(stateText),
      writtenAt: by.at,
      author: { kind: 'operator', id: operatorSubject },
      comment: 'imported',
      before,
      retention: await retentions.of(project),
      by,
    };
    const expected =
      before === undefined ? ({ kind: 'absent' } as const) : { kind: 'version' as const, version: before.version };
    const outcome = await store.writeUserState(key, expected, next);
    if (outcome.kind === 'written') return before === undefined ? 'created' : 'replaced';
    if (outcome.kind === 'quota') {
      const quota = outcome.quota === 'endUsers' ? 'end users' : 'bytes';
      throw new CommandFault(
        `line ${number}: the account may have ${formatCount(outcome.limit)} ${quota}, and has ${formatCount(outcome.used)}`,
        'raise the limit with "holdfast account limits", and run the same command again: it goes on where it stopped',
      );
    }
    if (outcome.kind === 'no_project') throw new CommandFault(`line ${number}: the project is gone`);
    return 'raced';
  });
  if (result !== 'raced') return result;
  throw new CommandFault(`line ${number}: other writes of the save keep getting in first; run the same command again`);
}

function print({ leftAlone, ...counts }: Imported, { check, json }: ImportOptions): void {
  if (json) printJson({ ...counts, checkedOnly: check === true, leftAlone });
  else if (check) {
    process.stdout.write(`${formatCount(counts.lines)} saves can be imported; nothing was written\n`);
  } else printOutcomes(counts, leftAlone);
}

function printOutcomes(counts: Omit<Imported, 'leftAlone'>, leftAlone: readonly number[]): void {
  printTable([
    ['Created', formatCount(counts.created)],
    ['Replaced', formatCount(counts.replaced)],
    ['There already', formatCount(counts.same)],
    ['Left alone', formatCount(counts.different)],
  ]);
  if (counts.different === 0) return;
  const more = counts.different > leftAlone.length ? ' and more' : '';
  process.stdout.write(
    `Other saves of these players are there, in lines ${leftAlone.join(', ')}${more}: --replace replaces them\n`,
  );
}

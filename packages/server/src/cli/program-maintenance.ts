/** The maintenance commands: `holdfast backup`, `restore`, `migrate-store`, `upgrade` and `doctor`. */
import { type Command, InvalidArgumentError } from 'commander';
import type { MigrateStoreOptions } from './migrate-store.ts';
import { command, environmentOf, load } from './program-command.ts';
import { parseStoreLocation, type StoreLocation } from './store-location.ts';
import type { UpgradeOptions } from './upgrade.ts';

/** Adds the maintenance commands. */
export function addMaintenance(program: Command): void {
  command(program, 'backup', 'copy the embedded database to a file while the service runs', [
    'holdfast backup monday.backup',
    'holdfast backup latest.backup --force --json',
    'holdfast backup complete.backup --with-secret-key',
  ])
    .argument('<file>', 'file for the copy; it appears complete or not at all')
    .option('--force', 'replace the file if it exists')
    .option('--with-secret-key', 'include the secret key: anybody who has the file can then sign tokens')
    .option('--no-verify', 'do not examine the copy')
    .option('--json', 'print JSON')
    .addHelpText('after', backupNotes)
    .action(async (file: string, options: BackupOptions) => {
      const { backupCommand } = await import('./backup.ts');
      await backupCommand(load(program).config, file, options);
    });

  command(program, 'restore', 'put a backup into the data folder while no service runs there', [
    'SVC_DATA_DIR=/var/lib/holdfast holdfast restore monday.backup',
    'holdfast restore monday.backup --force',
  ])
    .argument('<file>', 'a backup; it is examined first')
    .option('--force', 'keep an existing database under another name')
    .option('--json', 'print JSON')
    .addHelpText('after', restoreNotes)
    .action(async (file: string, options: { force?: true; json?: true }) => {
      const { restoreCommand } = await import('./restore.ts');
      await restoreCommand(load(program).config, file, options);
    });

  command(program, 'migrate-store', 'copy a store to another engine while no service runs on either', [
    'holdfast migrate-store --from ./data --to postgres://holdfast@db.example.com/holdfast',
    'holdfast migrate-store --from postgres://holdfast@db.example.com/holdfast --to ./back --json',
  ])
    .requiredOption(
      '--from <place>',
      'the store: a data folder (or sqlite:FOLDER), or postgres://USER@HOST/DATABASE',
      place,
    )
    .requiredOption('--to <place>', 'target of the copy, written the same way; a folder or database without a store', place)
    .option('--restart', 'discard what an earlier run copied')
    .option('--json', 'print JSON')
    .addHelpText('after', migrateStoreNotes)
    .action(async (options: MigrateStoreOptions) => {
      const { migrateStoreCommand } = await import('./migrate-store.ts');
      await migrateStoreCommand(load(program).config, options);
    });

  addUpgrade(program);

  command(program, 'doctor', 'examine settings, data folder and database, and say what to do', [
    'holdfast doctor',
    'holdfast doctor --quick --json',
  ])
    .option('--quick', 'leave out checks that read the whole database')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExit status: 0 nothing to do; 1 an error; 2 not everything could be examined; 3 warnings and nothing worse.\n',
    )
    .action(async (options: { quick?: true; json?: true }) => {
      const { doctorCommand } = await import('./doctor.ts');
      process.exitCode = await doctorCommand(environmentOf(program), options);
    });
}

function addUpgrade(program: Command): void {
  command(
    program,
    'upgrade',
    'say what a start of this release would do to the data, or finish an upgrade of several nodes',
    ['holdfast upgrade --check', 'holdfast upgrade --check --json', 'holdfast upgrade --finish'],
  )
    .option('--check', 'print what a start would do, how long it takes, and how much disk space it needs; change nothing')
    .option('--finish', 'confirm that the last node of the older release is gone')
    .option('--json', 'print JSON')
    .addHelpText('after', upgradeNotes)
    .action(async (options: UpgradeOptions, self: Command) => {
      if (options.check === options.finish) self.error('error: say one of --check and --finish');
      const { upgradeCommand } = await import('./upgrade.ts');
      await upgradeCommand(load(program).config, options);
    });
}

const backupNotes = `
The file has everything that was acknowledged before the command started. It does not have the secret
key unless you ask for it: keep a copy of secret.key (or SVC_SECRET_KEY) elsewhere. A restore needs both.
`;

const restoreNotes = `
The data becomes what it was when the backup was made: what was deleted or revoked since then is back,
and versions continue from those of the backup. Without the secret key of the backup, nobody can sign in
until "holdfast keys rotate --revoke" has made new signing keys; then everybody signs in again.
`;

const migrateStoreNotes = `
Everything is copied: versions, keys, sessions, users, limits. The source does not change. If a copy is
interrupted, the same command continues it. No service opens the copy before it is complete and has been
compared with the source, record by record. Keys stay sealed with the secret key, which you have to move
yourself: the command says how. PGPASSWORD keeps the password of a database off the command line.
`;

const upgradeNotes = `
A start of a new release brings the database up to date by itself. The embedded database is copied first
(SVC_UPGRADE_COPY). To go back, run "holdfast restore COPY --force" with the old release. --finish is for
PostgreSQL only: until then, nodes of the old release may run, and what they would not enforce is refused.
`;

function place(text: string): StoreLocation {
  const parsed = parseStoreLocation(text);
  if (parsed === undefined) throw new InvalidArgumentError('It is neither a folder nor postgres://USER@HOST/DATABASE.');
  return parsed;
}

type BackupOptions = { force?: true; withSecretKey?: true; verify: boolean; json?: true };

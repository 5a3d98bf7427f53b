/** `holdfast backup`, `restore`, `migrate-store` and `doctor` as commands. */
import { type Command, InvalidArgumentError } from 'commander';
import type { MigrateStoreOptions } from './migrate-store.ts';
import { command, environmentOf, load } from './program-parts.ts';
import { parseStorePlace, type StorePlace } from './store-place.ts';

/** Adds the commands for whoever looks after an installation. */
export function addCare(program: Command): void {
  command(program, 'backup', 'copy the embedded database to a file while the service runs', [
    'holdfast backup monday.backup',
    'holdfast backup latest.backup --force --json',
    'holdfast backup complete.backup --with-secret-key',
  ])
    .argument('<file>', 'where the copy goes; it appears complete or not at all')
    .option('--force', 'replace the file if it exists')
    .option('--with-secret-key', 'include the secret key: whoever has the file can then sign tokens')
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
    .option('--force', 'put a database that is there aside, under another name')
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
    .requiredOption('--to <place>', 'where the copy goes, likewise; a folder or database that holds no store', place)
    .option('--restart', 'throw away what an earlier run has copied')
    .option('--json', 'print JSON')
    .addHelpText('after', migrateStoreNotes)
    .action(async (options: MigrateStoreOptions) => {
      const { migrateStoreCommand } = await import('./migrate-store.ts');
      await migrateStoreCommand(load(program).config, options);
    });

  command(program, 'doctor', 'examine settings, data folder and database, and say what to do', [
    'holdfast doctor',
    'holdfast doctor --quick --json',
  ])
    .option('--quick', 'leave out what reads the whole database')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExit status: 0 all is well; 1 something is to be done; 2 not everything could be examined.\n')
    .action(async (options: { quick?: true; json?: true }) => {
      const { doctorCommand } = await import('./doctor.ts');
      process.exitCode = await doctorCommand(environmentOf(program), options);
    });
}

const backupNotes = `
The file holds everything that was acknowledged before the command began. The secret key is not in it
unless asked for: keep a copy of secret.key (or SVC_SECRET_KEY) elsewhere, a restore needs both.
`;

const restoreNotes = `
The data becomes what it was when the backup was taken: what was deleted or revoked since is there
again, and versions go on from those of the backup. Without the secret key of the backup nobody can
sign in until "holdfast keys rotate --revoke" has made new signing keys; then everybody signs in again.
`;

const migrateStoreNotes = `
Everything goes over: versions, keys, sessions, users, limits. The source stays as it is. A copy that was
interrupted goes on when the same command is given again; no service opens it before it is complete and
compared, record by record, with the source. Keys stay sealed with the secret key, which goes along by
itself: the command says how. PGPASSWORD keeps the password of a database off the command line.
`;

function place(text: string): StorePlace {
  const parsed = parseStorePlace(text);
  if (parsed === undefined) throw new InvalidArgumentError('It is neither a folder nor postgres://USER@HOST/DATABASE.');
  return parsed;
}

type BackupOptions = { force?: true; withSecretKey?: true; verify: boolean; json?: true };

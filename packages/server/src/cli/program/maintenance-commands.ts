/** The commands that keep, copy, move and check a store: backup, export, upgrade, doctor and their kin. */
import { type Command, InvalidArgumentError } from 'commander';
import type { BackupOptions } from '../backup/backup.ts';
import type { RecoveryOptions } from '../backup/recovered.ts';
import type { RestoreOptions } from '../backup/restore.ts';
import type { CompactOptions } from '../compact.ts';
import type { DistributeOptions } from '../distribute.ts';
import type { DoctorOptions } from '../doctor/doctor.ts';
import type { ExportOptions } from '../export/export.ts';
import type { ImportOptions } from '../import-installation/import.ts';
import type { MigrateStoreOptions } from '../migrate-store/migrate-store.ts';
import { parseStoreLocation, type StoreLocation } from '../store-location.ts';
import type { UpgradeOptions } from '../upgrade.ts';
import { command, environmentOf, load } from './command.ts';

/** Adds the maintenance commands. */
export function addMaintenance(program: Command): void {
  command(program, 'backup', 'copy the embedded database to a file while the service runs', [
    'holdfast backup monday.backup',
    'holdfast backup latest.backup --force --json',
    'holdfast backup complete.backup --with-secret-key',
    'mkdir -p backups && holdfast backup backups --keep 14 --metric holdfast.prom',
  ])
    .argument('<file>', 'file or folder for the copy; a file appears complete or not at all')
    .option('--force', 'replace the file if it exists')
    .option('--keep <n>', 'then keep only the newest n backups in the folder', keep)
    .option('--metric <file>', 'then write the time of the backup for Prometheus; the name must end in .prom')
    .option('--with-secret-key', 'include the secret key: whoever has the file can then sign tokens')
    .option('--no-verify', 'do not examine the copy')
    .addHelpText('after', backupNotes)
    .action(async (file: string, options: BackupOptions) => {
      const { backupCommand } = await import('../backup/backup.ts');
      await backupCommand(load(program).config, file, options);
    });

  addRecovery(program);
  command(program, 'migrate-store', 'copy a store to another engine while no service runs on either', [
    'holdfast migrate-store --from ./data --to postgres://holdfast@db.example.com/holdfast',
    'holdfast migrate-store --from postgres://holdfast@db.example.com/holdfast --to ./back --json',
  ])
    .requiredOption('--from <place>', 'a data folder (or sqlite:FOLDER), or postgres://USER@HOST/DATABASE', place)
    .requiredOption('--to <place>', 'a folder or database without a store, written the same way', place)
    .option('--restart', 'discard what an earlier run copied')
    .addHelpText('after', migrateStoreNotes)
    .action(async (options: MigrateStoreOptions) => {
      const { migrateStoreCommand } = await import('../migrate-store/migrate-store.ts');
      await migrateStoreCommand(load(program).config, options);
    });

  addExport(program);
  addUpgrade(program);
  addDistribute(program);
  addCompact(program);
  addDoctor(program);
}

/** Adds the commands for a store that is set back. */
function addRecovery(program: Command): void {
  command(program, 'restore', 'put a backup into the data folder while no service runs there', [
    'SVC_DATA_DIR=/var/lib/holdfast holdfast restore monday.backup',
    'holdfast restore monday.backup --force',
  ])
    .argument('<file>', 'a backup; it is examined first')
    .option('--force', 'keep an existing database under another name')
    .option('--versions-ahead <n>', 'how far above the highest known version new ones begin', versions)
    .option('--audit <file>', 'repeat revocations, removals, blocks and erasures of this audit trail')
    .addHelpText('after', restoreNotes)
    .action(async (file: string, options: RestoreOptions) => {
      const { restoreCommand } = await import('../backup/restore.ts');
      await restoreCommand(load(program).config, file, options);
    });

  command(program, 'recovered', 'finish a restore by other tools, while no service runs: raise versions, end sessions', [
    'holdfast recovered',
    'holdfast recovered --audit audit.ndjson --json',
  ])
    .option('--versions-ahead <n>', 'how far above the highest known version new ones begin', versions)
    .option('--audit <file>', 'repeat revocations, removals, blocks and erasures of this audit trail')
    .addHelpText('after', recoveredNotes)
    .action(async (options: RecoveryOptions) => {
      const { recoveredCommand } = await import('../backup/recovered.ts');
      await recoveredCommand(load(program).config, options);
    });
}

function addDoctor(program: Command): void {
  command(program, 'doctor', 'examine settings, data folder and database, and say what to do', [
    'holdfast doctor',
    'holdfast doctor --quick --json',
    'holdfast doctor --quick --network',
  ])
    .option('--quick', 'skip checks that read the whole database')
    .option('--network', 'also check mail server, issuers, database clock and base URL, for up to 5 s each')
    .option('--accept-clock', 'trust the clock of the machine or of PostgreSQL, so that expired data is removed')
    .addHelpText(
      'after',
      '\nExit status: 0 nothing to do; 1 an error; 2 not everything could be examined; 3 only warnings.\n',
    )
    .action(async (options: DoctorOptions) => {
      const { doctorCommand } = await import('../doctor/doctor.ts');
      process.exitCode = await doctorCommand(environmentOf(program), options);
    });
}

function addExport(program: Command): void {
  command(program, 'export', 'write everything, or one account, as lines of JSON while the service runs', [
    'holdfast export studio.ndjson --passphrase-file ./passphrase',
    'holdfast export - --passphrase-file ./passphrase > streamed.ndjson',
  ])
    .argument('<file>', 'file for the export, which appears complete or not at all; - is standard output')
    .requiredOption('--passphrase-file <file>', 'file whose first line encrypts the secrets')
    .option('--account <id>', 'only this account')
    .option('--force', 'replace the file if it exists')
    .addHelpText('after', exportNotes)
    .action(async (file: string, options: ExportOptions) => {
      const { exportCommand } = await import('../export/export.ts');
      await exportCommand(load(program).config, file, options);
    });

  command(program, 'import', 'import an export', [
    'SVC_DATA_DIR=./imported holdfast import studio.ndjson --passphrase-file ./passphrase',
    'SVC_DATA_DIR=./streamed holdfast import - --passphrase-file ./passphrase --json < studio.ndjson',
  ])
    .argument('<file>', 'an export; it is checked first; - is standard input')
    .requiredOption('--passphrase-file <file>', 'file whose first line is the passphrase')
    .option('--restart', 'discard what an earlier import of an installation stored')
    .option('--trust', 'accept an export without a MAC (format 1); changes to it cannot be detected')
    .addHelpText('after', importNotes)
    .action(async (file: string, options: ImportOptions) => {
      const { importCommand } = await import('../import-installation/import.ts');
      await importCommand(load(program).config, file, options);
    });
}

function addUpgrade(program: Command): void {
  command(
    program,
    'upgrade',
    'say what a start of this release would do to the data, or finish an upgrade of several nodes',
    ['holdfast upgrade --check', 'holdfast upgrade --check --json', 'holdfast upgrade --finish'],
  )
    .option('--check', 'print what a start would do, how long it takes and how much disk it needs; change nothing')
    .option('--finish', 'confirm that the last node of the older release is gone')
    .addHelpText('after', upgradeNotes)
    .action(async (options: UpgradeOptions, self: Command) => {
      if (options.check === options.finish) self.error('error: say one of --check and --finish');
      const { upgradeCommand } = await import('../upgrade.ts');
      await upgradeCommand(load(program).config, options);
    });
}

function addDistribute(program: Command): void {
  command(program, 'distribute', 'place tables on the machines of a Citus cluster while no node runs', [
    'SVC_DATABASE_URL=postgres://postgres@coordinator/holdfast holdfast distribute --check',
    'SVC_DATABASE_URL=postgres://postgres@coordinator/holdfast holdfast distribute',
  ])
    .option('--check', 'print what would be done and change nothing; exit status 1 if any table is out of place')
    .option('--force', 'continue with an untried version of Citus, which may refuse statements')
    .addHelpText('after', distributeNotes)
    .action(async (options: DistributeOptions) => {
      const { distributeCommand } = await import('../distribute.ts');
      await distributeCommand(load(program).config, options);
    });
}

const distributeNotes = `
SVC_DATABASE_URL names the coordinator and a superuser. Run it again after each upgrade, and whenever it was
interrupted: tables that are where they belong are left alone.
`;

function addCompact(program: Command): void {
  command(program, 'compact', 'give unused space back to the disk while the service runs', [
    'holdfast compact',
    'holdfast compact --json',
  ])
    .option('--rewrite', 'rewrite the embedded database while no service runs; needed once, if compact says so')
    .addHelpText('after', compactNotes)
    .action(async (options: CompactOptions) => {
      const { compactCommand } = await import('../compact.ts');
      await compactCommand(load(program).config, options);
    });
}

const compactNotes = `
Nothing is deleted. The embedded database shrinks in slices of some milliseconds, between which the service writes.
Over PostgreSQL, every table is vacuumed: its space can be used again, and free space at its end is returned.
`;

const backupNotes = `
The file holds everything acknowledged before the command started, but not the secret key, unless you ask for
it: keep a copy of secret.key (or SVC_SECRET_KEY) elsewhere. A restore needs both.

In a folder, the file is named after its time in UTC, such as holdfast-20261126T161500Z.sqlite. --keep counts and
removes only files with such names, and only after a successful backup.
`;

const restoreNotes = `
The data becomes what it was when the backup was made. New versions start far above all earlier ones, so that no
ETag ever names another document, and all sessions, tokens, codes and invitations expire. What was deleted or
revoked since then is back, unless --audit names a file with the later audit trail (the lines of
GET /v1/{accountId}/audit, of any accounts). Without the secret key of the backup, the secrets of identity
providers must be entered again.
`;

const recoveredNotes = `
Run it after a restore by Litestream, from an archive of PostgreSQL or from a snapshot: it does what "holdfast
restore" does for a backup. New versions start far above all earlier ones, all sessions, tokens, codes and
invitations expire, and --audit repeats what was taken away since then. It is safe to run again.
`;

const migrateStoreNotes = `
Everything is copied: versions, keys, sessions, users, limits. The source does not change. If a copy is
interrupted, the same command continues it. No service opens the copy before it is complete and has been
compared with the source, record by record. Secrets stay encrypted with the secret key, which you move
yourself: the command says how. PGPASSWORD keeps the password of a database off the command line.
`;

const exportNotes = `
The export has every record: accounts, users, hashes of passwords and keys, settings, versions, saves and
histories. Secrets, even the secret key of the installation, are encrypted with the passphrase; whoever has
the file reads everything else. The same store gives the same bytes on either engine.
`;

const importNotes = `
The whole file is checked first: its MAC, every value, the owner of each record, and what it refers to. The export
of an installation needs an empty store that no service uses. The export of an account can be imported into any
store, even while services run, and appears once it is complete. After an import that was killed, run the same
command again.
`;

const upgradeNotes = `
A start of a new release brings the database up to date. The embedded database is copied first
(SVC_UPGRADE_COPY). To go back, run "holdfast restore COPY --force" with the old release. --finish is for
PostgreSQL only: until then, nodes of the old release may run, and what they would not enforce is refused.
`;

function versions(text: string): number {
  const count = Number(text);
  if (/^[1-9][0-9]{0,15}$/.test(text) && Number.isSafeInteger(count)) return count;
  throw new InvalidArgumentError('It must be a number from 1 to 2^53 − 1.');
}

function place(text: string): StoreLocation {
  const parsed = parseStoreLocation(text);
  if (parsed === undefined) throw new InvalidArgumentError('It is neither a folder nor postgres://USER@HOST/DATABASE.');
  return parsed;
}

function keep(text: string): number {
  if (/^[1-9][0-9]{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number from 1 to 999999.');
}

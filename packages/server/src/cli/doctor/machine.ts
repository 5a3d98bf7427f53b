/** Findings about the machine and the data folder. */
import { lstatSync, readdirSync, type Stats, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Denial } from '../../common/files/owned-files.ts';
import { openFilesMax } from '../../http/connections/open-files.ts';
import { exposureOf } from '../../secrets/secret-key.ts';
import { databasePath, mustBeFiles } from '../../storage/sqlite/directory/database.ts';
import { shellWord } from '../files.ts';
import { formatBytes } from '../units.ts';
import { type Finding, findingOf } from './findings.ts';

const onMachine = findingOf('machine');
const inFolder = findingOf('data_folder');

/** One for each connection, and a few more. A proxy keeps hundreds open. */
const openFilesMin = 4_096;
const nodeMajorTested = 26;
const mebibyte = 1024 * 1024;
/** Below the first, writes are about to fail. Below the second, it is time to act. */
const freeBytesError = 256 * mebibyte;
const freeBytesWarning = 1024 * mebibyte;

/** @see https://man7.org/linux/man-pages/man2/statfs.2.html */
const networkFileSystems: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x01021997, '9P'],
  [0x65735546, 'FUSE'],
]);

/** Examines the runtime and its limits. */
export function examineMachine(): Finding[] {
  const findings: Finding[] = [];
  const major = Number.parseInt(process.versions.node, 10);
  if (major !== nodeMajorTested) {
    const advice = `use the runtime that npm installs, or Node ${nodeMajorTested}`;
    findings.push(
      onMachine('note', `Node ${process.versions.node} is not the release that this program is tested with`, advice),
    );
  }
  const openFiles = openFilesMax();
  if (openFiles < openFilesMin) {
    findings.push(
      onMachine(
        'warning',
        `a process may open ${openFiles} files here, and every connection is one`,
        'raise the limit where the service is started: LimitNOFILE=65536 for systemd, "ulimit -n 65536" in a shell',
      ),
    );
  }
  return findings;
}

/** Examines modes, owners, free space and leftovers of an existing data folder. */
export function examineFolder(dataDir: string): Finding[] {
  return [...examineModes(dataDir), ...examineLinks(dataDir), ...examineRoom(dataDir), ...examineLeftovers(dataDir)];
}

/** Examines a data folder as far as possible, if this process may not use it or some files of its database. */
export function examineDenied(dataDir: string, { path, reason, advice }: Denial): Finding[] {
  const denied = inFolder('error', reason, advice);
  if (!mustBeFiles(dataDir).includes(path)) return [denied]; // the folder, or one above
  const findings = examineFolder(dataDir);
  return findings.some(({ finding }) => finding.startsWith(`${path} belongs to`)) ? findings : [...findings, denied];
}

const isOpenToOthers = ({ mode }: Stats) => process.platform !== 'win32' && (mode & 0o077) !== 0;
const octal = ({ mode }: Stats) => (mode & 0o777).toString(8).padStart(4, '0');

function examineModes(dataDir: string): Finding[] {
  const findings: Finding[] = [];
  const folder = statSync(dataDir);
  if (isOpenToOthers(folder)) {
    const advice = `chmod 700 ${shellWord(dataDir)}`;
    findings.push(inFolder('warning', `${dataDir} is open to others (mode ${octal(folder)})`, advice));
  }
  for (const name of readdirSync(dataDir).filter((each) => /^(?:holdfast\.|secret\.key|dev\.env|base-url)/.test(each))) {
    const path = join(dataDir, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats?.isFile()) continue;
    findings.push(...(name === 'secret.key' ? examineKey(path, stats, folder) : examineFile(path, stats, folder)));
  }
  return findings;
}

/** The key as the user who owns the folder and runs the service would read it. */
function examineKey(path: string, stats: Stats, { uid }: Stats): Finding[] {
  const exposure = process.platform === 'win32' ? undefined : exposureOf(stats, { user: uid, folder: uid });
  if (exposure === undefined) return [];
  const finding = `${path} ${exposure.finding}; the service does not start with it`;
  return [inFolder('error', finding, exposure.advice)];
}

function examineFile(path: string, stats: Stats, { uid }: Stats): Finding[] {
  const findings: Finding[] = [];
  if (isOpenToOthers(stats)) {
    const finding = `${path} is open to others (mode ${octal(stats)})`;
    findings.push(inFolder('warning', finding, `chmod 600 ${shellWord(path)}, unless somebody has read it`));
  }
  if (process.platform !== 'win32' && stats.uid !== uid) {
    const advice = `chown ${uid} ${shellWord(path)}, and run commands as the user of the service`;
    findings.push(inFolder('error', `${path} belongs to user ${stats.uid}, the folder to ${uid}`, advice));
  }
  return findings;
}

/** @see requireOwnFiles */
function examineLinks(dataDir: string): Finding[] {
  return mustBeFiles(dataDir)
    .filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
    .map((path) =>
      inFolder(
        'error',
        `${path} is a symbolic link; the service does not start with it`,
        'set SVC_DATA_DIR to the folder where the file itself is, or make a link of the folder',
      ),
    );
}

function examineRoom(dataDir: string): Finding[] {
  const { bavail, bsize, type } = statfsSync(dataDir);
  const free = bavail * bsize;
  const findings: Finding[] = [];
  const network = networkFileSystems.get(type);
  if (network) {
    const advice = 'move the folder to a local disk: locks and syncs that do not work damage a database';
    findings.push(inFolder('warning', `${dataDir} is on a network file system (${network})`, advice));
  }
  if (free < freeBytesWarning) {
    const level = free < freeBytesError ? 'error' : 'warning';
    const advice = 'free some space or move the folder: on a full disk every write gets 503';
    findings.push(inFolder(level, `the disk of ${dataDir} has ${formatBytes(free)} free`, advice));
  }
  return findings;
}

/** Why a file beside the database is no longer needed, by its name. */
const leftovers = [
  [/\.before-[^/]*\d{9}Z$/, 'is the database as it was before an upgrade', 'delete it when you no longer want to go back'],
  [/\.replaced-/, 'is a database that a restore replaced', 'delete it when you no longer need it'],
  [/./, 'was left by an interrupted command', 'delete it while no command runs'],
] as const;

/** Leftovers of interrupted commands, copies from before an upgrade, and databases that a restore replaced. */
function examineLeftovers(dataDir: string): Finding[] {
  const database = databasePath('');
  return readdirSync(dataDir)
    .filter((name) => name.startsWith(`${database}.`) || /^secret\.key\.[0-9a-f]{16}$|\.new$/.test(name))
    .map((name) => {
      const [, what, advice] = leftovers.find(([pattern]) => pattern.test(name)) ?? leftovers[2];
      return inFolder('note', `${join(dataDir, name)} ${what}`, advice);
    });
}

/** Parses the first line of an export. */
import { accountIdPattern } from '@holdfast/contract';
import { newestMigration } from '../../storage/sql/schema/releases.ts';
import { type ExportHeader, exportFormat } from '../export/lines.ts';
import { createExportSeal, type ExportSeal, isSalt, keyCost, toKeyCost } from '../export/seal.ts';
import { CommandFault } from '../fault.ts';

/** The first line of an export, of this release or an earlier one. */
export type ReadHeader = Omit<ExportHeader, 'holdfast'>;

const accountIdCharactersMax = 128;

/** Returns the header of a parsed line. Throws `CommandFault` if it is missing, damaged, or of a later release. */
export function headerOf(line: Readonly<Record<string, unknown>>): ReadHeader {
  const { holdfast, format, migration, account = null, salt, secretKey = null, check } = line;
  if (holdfast !== 'export') throw new CommandFault('the file is not a Holdfast export');
  const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 1;
  const damaged = new CommandFault('the first line of the export is damaged');
  if (!isCount(format) || !isCount(migration)) throw damaged;
  if (format > exportFormat || migration > newestMigration) {
    throw new CommandFault('the export was made by a later release: use that one, or a newer one');
  }
  if (account !== null && !(typeof account === 'string' && isAccountId(account))) {
    throw new CommandFault('the account id in the first line of the export is not valid');
  }
  const kdf = format === 1 ? keyCost : toKeyCost(line.kdf);
  if (kdf === undefined) throw new CommandFault('the first line of the export uses an unknown key derivation');
  if (!isSalt(salt) || typeof check !== 'string' || (secretKey !== null && typeof secretKey !== 'string')) throw damaged;
  if ((secretKey === null) !== (account !== null)) throw damaged;
  return { format, migration, account, salt, kdf, secretKey, check };
}

const isAccountId = (text: string): boolean => text.length <= accountIdCharactersMax && accountIdPattern.test(text);

/** Whether the lines of an export have a MAC. */
export const hasMac = ({ format }: Pick<ReadHeader, 'format'>): boolean => format >= 2;

/** Returns the seal of an export. Throws `CommandFault` if the passphrase is wrong. */
export function openSeal({ salt, kdf, check }: ReadHeader, passphrase: string): ExportSeal {
  const seal = createExportSeal(passphrase, salt, kdf);
  if (seal.open(check, 'check') === undefined) throw new CommandFault('the passphrase does not match the export');
  return seal;
}

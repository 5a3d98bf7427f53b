/** `holdfast doctor --network`: contacts all servers that the service depends on, as the service does, without sending mail or data. */
import type { Config } from '../../config/config.ts';
import { clockOffsetMilliseconds } from '../../storage/contract/installation.ts';
import { readServiceIdentity } from '../../storage/postgres/inspect/inspect.ts';
import { findServiceIdentity, type ServiceIdentity } from '../../storage/sql/upkeep/inspection.ts';
import { databasePath, openForReading } from '../../storage/sqlite/directory/database.ts';
import { takeSteps } from '../../storage/sqlite/steps.ts';
import { askBaseUrl } from './base-url.ts';
import { type Answer, answersOf } from './findings.ts';
import { askOutsideIssuer, askProviders } from './issuers.ts';
import { askMailServer } from './mail.ts';

/** Values from the database, including how far its clock is ahead of the machine's, in milliseconds, if it has one. */
type Known = ServiceIdentity & { readonly clockOffset?: number };

/** Asks all in parallel. `isStopped`: whether the service is known not to run. */
export async function askNetwork(config: Config, isStopped: boolean): Promise<readonly Answer[]> {
  const { smtpUrl, idpIssuer, baseUrl } = config;
  const { keyIds, providers, clockOffset } = await readKnown(config);
  const answers = await Promise.all([
    smtpUrl === undefined ? [] : askMailServer(smtpUrl),
    idpIssuer === undefined ? askProviders(config, providers) : askOutsideIssuer(idpIssuer),
    clockOffset === undefined ? [] : checkClocks(clockOffset),
    baseUrl === undefined ? [] : askBaseUrl(baseUrl, { keyIds, isStopped }),
  ]);
  return answers.flat();
}

/** Unreadable values are unknown. The database checks report why. */
async function readKnown({ databaseUrl, dataDir }: Config): Promise<Known> {
  try {
    if (databaseUrl !== undefined) return await readServiceIdentity(databaseUrl);
    const database = openForReading(databasePath(dataDir));
    try {
      return takeSteps(database, findServiceIdentity());
    } finally {
      database.close();
    }
  } catch {
    return { keyIds: [], providers: [] };
  }
}

/** Checks how far the database's clock is ahead of this machine's, in milliseconds. */
export function checkClocks(offset: number): Answer {
  const { good, bad } = answersOf('database_clock', 'the clock of the database');
  const seconds = (Math.abs(offset) / 1000).toFixed(1);
  const answer = `is ${seconds} s ${offset < 0 ? 'behind' : 'ahead of'} that of this machine`;
  if (Math.abs(offset) <= clockOffsetMilliseconds) return good(answer);
  const advice =
    'let both machines follow a time server: the service follows the clock of the database, but its log does not';
  return bad('warning', answer, advice);
}

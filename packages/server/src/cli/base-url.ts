/** The base URL of the service, recorded at each start for use in the operator's tokens. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureOwnedFolder } from '../common/files/owned-files.ts';
import { type Config, type Environment, isAddressGiven } from '../config/config.ts';
import { webUrl } from '../config/values.ts';
import { replacePrivateFile } from './files.ts';

const recordPath = (dataDir: string): string => join(dataDir, 'base-url');

/** Records that `baseUrl` is the address of the service on this data folder. */
export function recordBaseUrl(dataDir: string, baseUrl: string): void {
  ensureOwnedFolder(dataDir); // over PostgreSQL it may not exist yet
  replacePrivateFile(recordPath(dataDir), `${baseUrl}\n`);
}

/**
 * Returns `config` with the base URL for tokens: from `environment` if that sets any part of the address, otherwise that of the latest
 * start, otherwise the default. Undefined if only port 0 is known.
 */
export function withRecordedBaseUrl(config: Config, environment: Environment): Config {
  if (isAddressGiven(environment) && config.baseUrl !== undefined) return config;
  return { ...config, baseUrl: recordedBaseUrl(config.dataDir) ?? config.baseUrl };
}

function recordedBaseUrl(dataDir: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(recordPath(dataDir), 'utf8');
  } catch {
    return undefined;
  }
  const parsed = webUrl.parse(text.trim());
  return 'value' in parsed ? parsed.value : undefined;
}

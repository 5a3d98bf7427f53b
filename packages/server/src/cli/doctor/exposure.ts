/** Findings about an installation that others can reach but that still has settings for trying. */

import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { readTextFile } from '../../common/files/text-file.ts';
import { isLoopback } from '../../common/net/loopback.ts';
import type { Config } from '../../config/config.ts';
import { type Finding, findingOf } from './findings.ts';

const found = findingOf('configuration');

/** Returns findings about sign-up and mail if the base URL is not only for this machine, and about the demo if others can reach it. */
export function examineExposure(config: Config): Finding[] {
  const { baseUrl, host, port } = config;
  if (baseUrl !== undefined && !isLoopback(new URL(baseUrl).hostname)) {
    return [...examineSignUp(config, baseUrl), ...examineMail(config), ...examineDemo(config, baseUrl)];
  }
  return isLoopback(host) ? [] : examineDemo(config, `port ${port} of ${host}`);
}

/** Open sign-up with quotas is a public service. Without quotas, strangers can fill the disk. */
function examineSignUp(config: Config, baseUrl: string): Finding[] {
  const { quotaApiRequestsPerMonth, quotaProjects, quotaEndUsers, quotaStorageBytes } = config;
  const quotas = [quotaApiRequestsPerMonth, quotaProjects, quotaEndUsers, quotaStorageBytes];
  if (config.developerSignup === 'closed' || quotas.every((quota) => quota > 0)) return [];
  return [
    found(
      'warning',
      `whoever can reach ${baseUrl} can create an account and use the storage without a limit`,
      'set SVC_DEVELOPER_SIGNUP=closed and let people in with "holdfast account create", or set all four SVC_QUOTA_…',
    ),
  ];
}

/** With an outside issuer, this service sends no mail. */
function examineMail({ smtpUrl, idpIssuer, dataDir }: Config): Finding[] {
  if (smtpUrl !== undefined || idpIssuer !== undefined) return [];
  return [
    found(
      'warning',
      `SVC_SMTP_URL is not set: sign-up and password mails are not sent, only written to files in ${join(dataDir, 'outbox')}`,
      'set SVC_SMTP_URL and SVC_MAIL_FROM to a mail server that you may use',
    ),
  ];
}

function examineDemo({ dataDir }: Config, where: string): Finding[] {
  const { HOLDFAST_ACCOUNT_ID: accountId } = readDemo(join(dataDir, 'dev.env'));
  if (accountId === undefined) return [];
  return [
    found(
      'warning',
      `the demo account ${accountId} can be used at ${where}, with the credentials in ${join(dataDir, 'dev.env')}`,
      `delete it with "holdfast account delete ${accountId}", then the file; SVC_DEMO=off makes no other`,
    ),
  ];
}

function readDemo(path: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readTextFile(path));
  } catch {
    return {};
  }
}

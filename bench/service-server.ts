/** The service as in `holdfast serve`, filled for a measurement, with or without storing. */
import { mkdirSync } from 'node:fs';
import { readConfig } from '../packages/server/src/config/config.ts';
import { serve } from '../packages/server/src/main.ts';
import { openSqliteStore } from '../packages/server/src/storage/sqlite/store.ts';
import { largeDocument, smallDocument } from '../tooling/load/documents.ts';
import { accountId, seedApiKeys, seedProjects, seedRefreshTokens, seedWebhooks } from '../tooling/load/seed.ts';
import { withoutStoring } from './floors/null-store.ts';
import { answerRun, measureSyncMilliseconds } from './measured-process.ts';

export interface ServiceSettings {
  readonly dataDir: string;
  readonly stores: boolean;
  readonly projects: number;
  readonly apiKeys: number;
  readonly refreshTokens?: number;
  readonly document: 'small' | 'large';
  /** Variables for the location of the data, if not in the data folder. */
  readonly place?: Readonly<Record<string, string>>;
  /** Where a webhook of each project sends changes of public state. */
  readonly webhookUrl?: string;
}

/** Data that the run needs to use the service. */
export interface ServiceReady {
  readonly baseUrl: string;
  readonly apiKeys: readonly string[];
  readonly developerToken: string;
  readonly refreshTokens: readonly string[];
  /** The time of one sync of the disk. */
  readonly syncMilliseconds: number;
}

const settings = JSON.parse(process.argv[2] as string) as ServiceSettings;
const { dataDir, projects } = settings;
mkdirSync(dataDir, { recursive: true });
const outcome = readConfig({
  SVC_PORT: '0',
  SVC_DATA_DIR: dataDir,
  SVC_RATE_LIMIT_PER_MINUTE: '0',
  SVC_LOG_LEVEL: 'warn',
  ...settings.place,
});
if (outcome.kind === 'faults') throw new Error(`the service refuses its configuration: ${outcome.faults.join('; ')}`);

const openStore = async () => withoutStoring(await openSqliteStore({ dataDir }));
const service = await serve(outcome.config, settings.stores ? {} : { openStore });
// A node over a database that another node has filled gets no projects. The embedded store commits all given writes together; over a
// network, projects of one account are created in sequence anyway.
if (projects > 0) {
  const document = settings.document === 'small' ? smallDocument : largeDocument;
  await seedProjects(service.store, { projects, document, togetherMax: settings.place ? 4 : 1_000 });
}
const { webhookUrl } = settings;
if (webhookUrl !== undefined) await seedWebhooks(service, { projects, url: webhookUrl });
const day = 24 * 60 * 60;
const ready: ServiceReady = {
  baseUrl: service.baseUrl,
  apiKeys: await seedApiKeys(service.store, settings.apiKeys),
  refreshTokens: await seedRefreshTokens(service.store, settings.refreshTokens ?? 0),
  developerToken: await service.accessTokens.signDeveloperToken({
    accountId,
    subject: 'bench',
    actsAs: 'operator',
    seconds: day,
  }),
  syncMilliseconds: measureSyncMilliseconds(dataDir),
};
answerRun(ready, () => service.stop());

/** The service as `holdfast serve` runs it, filled for a measurement, with its store or without storing. */
import { createSealer, loadOrCreateSecretKey } from '../packages/server/src/access/secrets.ts';
import { readConfig } from '../packages/server/src/config.ts';
import { serve } from '../packages/server/src/main.ts';
import { createAccessTokens } from '../packages/server/src/oauth/access-token.ts';
import { createSigningKeys } from '../packages/server/src/oauth/signing-keys.ts';
import { openSqliteStore } from '../packages/server/src/storage/sqlite/store.ts';
import type { Store } from '../packages/server/src/storage/store.ts';
import { largeDocument, smallDocument } from './documents.ts';
import { answerRun, measureSyncMilliseconds } from './measured-process.ts';
import { withoutStoring } from './null-store.ts';
import { accountId, seedApiKeys, seedProjects, seedRefreshTokens } from './seed.ts';

export interface ServiceSettings {
  readonly dataDir: string;
  readonly stores: boolean;
  readonly projects: number;
  readonly apiKeys: number;
  readonly refreshTokens?: number;
  readonly document: 'small' | 'large';
}

/** What the run needs to know to use the service. */
export interface ServiceReady {
  readonly baseUrl: string;
  readonly apiKeys: readonly string[];
  readonly developerToken: string;
  readonly refreshTokens: readonly string[];
  /** What one sync of the disk takes. */
  readonly syncMilliseconds: number;
}

/** An operator's token, as `holdfast account create` makes it. */
function signDeveloperToken(store: Store, dataDir: string, baseUrl: string): Promise<string> {
  const sealer = createSealer(loadOrCreateSecretKey(dataDir), 'signing-key');
  const signingKeys = createSigningKeys({
    store,
    purpose: 'access_token',
    seal: sealer.seal,
    open: sealer.open,
    now: Date.now,
  });
  const accessTokens = createAccessTokens({ signingKeys, issuer: () => baseUrl, now: Date.now });
  return accessTokens.signDeveloperToken({ accountId, subject: 'bench', seconds: 24 * 60 * 60 });
}

const settings = JSON.parse(process.argv[2] as string) as ServiceSettings;
const { dataDir } = settings;
const outcome = readConfig({ SVC_PORT: '0', SVC_DATA_DIR: dataDir, SVC_RATE_LIMIT_PER_MINUTE: '0', SVC_LOG_LEVEL: 'warn' });
if (outcome.kind === 'faults') throw new Error(`the service refuses its configuration: ${outcome.faults.join('; ')}`);

const openStore = async () => withoutStoring(await openSqliteStore({ dataDir }));
const service = await serve(outcome.config, settings.stores ? {} : { openStore });
await seedProjects(service.store, settings.projects, settings.document === 'small' ? smallDocument : largeDocument);
const ready: ServiceReady = {
  baseUrl: service.baseUrl,
  apiKeys: await seedApiKeys(service.store, settings.apiKeys),
  refreshTokens: await seedRefreshTokens(service.store, settings.refreshTokens ?? 0),
  developerToken: await signDeveloperToken(service.store, dataDir, service.baseUrl),
  syncMilliseconds: measureSyncMilliseconds(dataDir),
};
answerRun(ready, () => service.stop());

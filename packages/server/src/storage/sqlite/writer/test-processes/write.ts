/**
 * Writes versions to some projects in parallel, as fast as possible, and prints each acknowledged one as `written {project} {version}`. A
 * failed write is printed as `failed {message}`, and is tried again after a moment.
 */

import { StoreUnavailable } from '../../../store.ts';
import { anAccount, aProject, byOperator } from '../../../store-suite/records.fixture.ts';
import { openSqliteStore } from '../../store.ts';

const [dataDir = '', projects = '8', accountId = 'acc_1'] = process.argv.slice(2);
// A file that may not grow further gives an error from write(2), as a full disk does, instead of ending the process.
process.on('SIGXFSZ', () => undefined);

const store = await openSqliteStore({ dataDir });
await store.createAccount(anAccount({ accountId, name: 'a', idpTenantId: 't', createdAt: 1 }));

async function writeOn(slug: string): Promise<never> {
  const key = { accountId, slug, environment: 'production' } as const;
  await store.createProject(byOperator, aProject({ accountId, slug, name: slug, createdAt: 1 }));
  for (;;) {
    try {
      const found = await store.readPublicState(key);
      const current = found.kind === 'present' ? found.record.version : 0;
      const stateText = JSON.stringify({ version: current + 1, filler: 'x'.repeat(2_000) });
      const outcome = await store.writePublicState(
        key,
        current === 0 ? { kind: 'absent' } : { kind: 'version', version: current },
        { stateText, stateBytes: stateText.length, comment: null, writtenAt: 1, author: null },
      );
      process.stdout.write(outcome.kind === 'written' ? `written ${slug} ${outcome.version}\n` : `lost ${slug}\n`);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      process.stdout.write(`failed ${error.message}\n`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

await Promise.all(Array.from({ length: Number(projects) }, (_, i) => writeOn(`p${i}`)));

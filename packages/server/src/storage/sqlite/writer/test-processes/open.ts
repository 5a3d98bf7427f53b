/** Opens a data directory as a server does, prints success or the reason of a failure, and stays until it is killed. */
import { openSqliteStore } from '../../store.ts';

const [dataDir = ''] = process.argv.slice(2);
try {
  await openSqliteStore({ dataDir });
  console.log('open');
} catch (error) {
  console.log(`refused: ${(error as Error).message}`);
}

/** Opens the store in a data directory, and kills itself at the given statement on its way. */
import { DatabaseSync } from 'node:sqlite';
import { openSqliteStore } from '../../store.ts';

const [dataDir = '', fatal = ''] = process.argv.slice(2);
let statements = 0;
const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (sql) {
  statements += 1;
  if (statements === Number(fatal)) process.kill(process.pid, 'SIGKILL');
  exec.call(this, sql);
};
await (await openSqliteStore({ dataDir })).close();

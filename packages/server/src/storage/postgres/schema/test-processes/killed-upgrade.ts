/** Opens the store in a database, and kills itself before it would send the given message. */
import { Socket } from 'node:net';
import { openPostgresStore } from '../../store.ts';

const [url = '', fatal = ''] = process.argv.slice(2);
let messages = 0;
const write = Socket.prototype.write as (...args: unknown[]) => boolean;
Socket.prototype.write = function (this: Socket, ...args: unknown[]) {
  messages += 1;
  if (messages === Number(fatal)) process.kill(process.pid, 'SIGKILL');
  return write.apply(this, args);
} as typeof Socket.prototype.write;
await (await openPostgresStore({ url })).close();

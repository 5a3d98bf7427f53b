/** The sockets to the database, which are destroyed if the server falls silent. */
import { Socket } from 'node:net';

const tickMilliseconds = 250;

/** The state of a socket at the last check. */
interface Seen {
  bytesRead: number;
  bytesWritten: number;
  /** Since when a response is overdue: data was written, and nothing has been read since. */
  owedSince: number | undefined;
}

/** The address that the driver connects to. */
interface ServerAddress {
  readonly host: readonly string[];
  readonly port: readonly number[];
  readonly path?: string | false;
}

/** Creates sockets, and destroys sockets that have waited too long for a response. The driver then fails everything sent on them. */
export class SocketWatch {
  readonly #silenceMilliseconds: number;
  readonly #sockets = new Map<Socket, Seen>();
  #timer: NodeJS.Timeout | undefined;

  constructor(silenceMilliseconds: number) {
    this.#silenceMilliseconds = silenceMilliseconds;
  }

  /** Connects a socket to a server. */
  readonly connect = ({ host: [host], port: [port], path }: ServerAddress): Socket => {
    const socket = new Socket();
    this.#sockets.set(socket, { bytesRead: 0, bytesWritten: 0, owedSince: undefined });
    this.#timer ??= setInterval(() => this.#check(), tickMilliseconds).unref();
    if (path) return socket.connect(path);
    socket.setNoDelay(true);
    // The driver reads the expected certificate name from here.
    return Object.assign(socket.connect(port as number, host as string), { host });
  };

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #check(): void {
    const now = performance.now();
    for (const [socket, seen] of this.#sockets) {
      const { bytesRead, bytesWritten, destroyed } = socket;
      if (destroyed) {
        this.#sockets.delete(socket);
        continue;
      }
      if (bytesRead !== seen.bytesRead) seen.owedSince = undefined;
      else if (bytesWritten !== seen.bytesWritten) seen.owedSince ??= now;
      seen.bytesRead = bytesRead;
      seen.bytesWritten = bytesWritten;
      if (seen.owedSince !== undefined && now - seen.owedSince > this.#silenceMilliseconds) socket.destroy();
    }
  }
}

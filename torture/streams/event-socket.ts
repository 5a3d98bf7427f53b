/** A minimal client of a change stream, so that one process can have ten thousand. */
import { connect, type Socket } from 'node:net';

export interface StreamEvent {
  readonly type: string;
  /** NaN for events without an id. */
  readonly id: number;
  /** JSON text. */
  readonly data: string;
}

export interface EventSocketOptions {
  readonly port: number;
  /** Of 127.0.0.0/8, each of which is a separate client. */
  readonly localAddress: string;
  readonly path: string;
  readonly authorization: string;
  readonly onEvent: (event: StreamEvent) => void;
  /** Called once: with the status if no stream was opened, or undefined when the connection ended. */
  readonly onEnd: (status: number | undefined) => void;
  /** Called after the head of a stream was received. */
  readonly onOpen?: () => void;
}

const headEnd = '\r\n\r\n';

/** Opens a stream. The returned function closes it without calling `onEnd`. */
export function openEvents(options: EventSocketOptions): () => void {
  const { port, localAddress, path, authorization, onEvent, onEnd, onOpen } = options;
  const socket: Socket = connect({ host: '127.0.0.1', port, localAddress, noDelay: true });
  let received = '';
  let text = '';
  let hasHead = false;
  let isOver = false;
  const over = (status?: number) => {
    if (isOver) return;
    isOver = true;
    socket.destroy();
    onEnd(status);
  };
  socket.setEncoding('latin1');
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: ${authorization}\r\nAccept: text/event-stream\r\n\r\n`,
  );
  socket.on('error', () => over());
  socket.on('close', () => over());
  socket.on('data', (piece: string) => {
    received += piece;
    if (!hasHead) {
      const end = received.indexOf(headEnd);
      if (end < 0) return;
      const status = Number(received.slice(9, 12));
      received = received.slice(end + headEnd.length);
      if (status !== 200) return over(status);
      hasHead = true;
      onOpen?.();
    }
    readChunks();
  });

  function readChunks(): void {
    let isLast = false;
    while (!isLast) {
      const line = received.indexOf('\r\n');
      if (line < 0) break;
      const length = Number.parseInt(received.slice(0, line), 16);
      if (received.length < line + 2 + length + 2) break;
      text += received.slice(line + 2, line + 2 + length);
      received = received.slice(line + 2 + length + 2);
      isLast = length === 0;
    }
    for (let end = text.indexOf('\n\n'); end >= 0 && !isOver; end = text.indexOf('\n\n')) {
      const block = text.slice(0, end);
      text = text.slice(end + 2);
      const event = /^(?:retry: \d+\n)?event: (\w+)\n(?:id: (\d+)\n)?data: (.*)$/s.exec(block);
      if (event !== null) onEvent({ type: event[1] ?? '', id: Number(event[2]), data: event[3] ?? '' });
    }
    if (isLast) over();
  }

  return () => {
    isOver = true;
    socket.destroy();
  };
}

/** The next of many addresses of this machine. */
let addresses = 0;
export const nextAddress = (): string => {
  addresses = (addresses + 1) % 60_000;
  return `127.1.${1 + (addresses >> 8)}.${1 + (addresses % 250)}`;
};

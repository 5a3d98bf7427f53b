/**
 * The floor: `node:http` alone. One response, made before the first request, the same for all; its body is a string of one-byte characters,
 * which the runtime sends in one write with the headers, or bytes if that is faster.
 */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerRun } from '../measured-process.ts';

export interface FloorSettings {
  readonly status: number;
  /** Name, value, name, value …, without the runtime's own. */
  readonly headers: readonly string[];
  readonly bodyFile: string;
  readonly keepAliveSeconds: number;
  /** Whether the answer waits for the body of the request. */
  readonly readsBody: boolean;
}

/** Above this, copying the body next to the headers costs more than a second buffer in the same write. */
const stringBytesMax = 16_384;

const settings = JSON.parse(process.argv[2] as string) as FloorSettings;
const { status, headers } = settings;
const bytes = readFileSync(settings.bodyFile);
const text = bytes.toString('latin1');

const sendText = (_request: IncomingMessage, response: ServerResponse) => {
  response.writeHead(status, headers as string[]);
  response.end(text, 'latin1');
};
const sendBytes = (_request: IncomingMessage, response: ServerResponse) => {
  response.writeHead(status, headers as string[]);
  response.end(bytes);
};
const send = bytes.length > stringBytesMax ? sendBytes : sendText;
const sendAfterBody = (request: IncomingMessage, response: ServerResponse) => {
  request.resume();
  request.on('end', () => send(request, response));
};

const server = createServer(settings.readsBody ? sendAfterBody : send);
server.keepAliveTimeout = settings.keepAliveSeconds * 1000;
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  answerRun({ baseUrl: `http://127.0.0.1:${port}` }, async () => {
    server.closeAllConnections();
    server.close();
  });
});

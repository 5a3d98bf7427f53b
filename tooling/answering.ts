/** Listeners of HTTP servers that have to wait before they can answer. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>;

/**
 * Returns a listener that answers with `answer`. A client gets the error of a failed one with status 500, unless its response has begun: then
 * the connection ends. If it is the client that has left, in the middle of its body, nobody is told.
 */
export const answeringWith =
  (answer: Answer): RequestListener =>
  (request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end(String(error));
    });
  };

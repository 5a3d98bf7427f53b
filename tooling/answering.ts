/** Listeners of HTTP servers that have to wait before they can answer. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>;

/**
 * Returns a listener that answers with `answer`. If that fails, the client gets the error with status 500, or loses the connection if the
 * response has begun. A client that has left hears nothing.
 */
export const answeringWith =
  (answer: Answer): RequestListener =>
  (request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end(String(error));
    });
  };

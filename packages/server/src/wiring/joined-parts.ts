/** Joins all parts with the service itself: its files, and what it says about itself. */
import type { Handlers } from '../http/operation-request.ts';
import { clientFileHandlers } from '../http/routes/client-file.ts';
import { consoleHandlers } from '../http/routes/console.ts';
import { documentationHandlers } from '../http/routes/documentation.ts';
import { type ServiceParts, serviceHandlers } from '../http/routes/service.ts';
import type { Part, Wiring } from './wiring.ts';

type ServiceWiring = Wiring & Pick<ServiceParts, 'signingKeys' | 'lifetime'>;

/** All parts as one. */
export interface JoinedParts {
  /** The handlers of all operations. */
  readonly handlers: Handlers;
  /** Begins all work at set times. The service must be listening. */
  startTimed(): void;
}

/** Joins parts. They start in their order. */
export function joinParts(wiring: ServiceWiring, parts: readonly Part[]): JoinedParts {
  const { store, config, baseUrl, signingKeys, lifetime } = wiring;
  const { authFrontUrl } = config;
  const others: Handlers = {
    ...documentationHandlers({ baseUrl, authFrontUrl }),
    ...clientFileHandlers(),
    ...(config.console === 'on' && consoleHandlers({ baseUrl, sendsMail: config.smtpUrl !== undefined })),
  };
  for (const { handlers } of parts) Object.assign(others, handlers);
  const service = serviceHandlers({ store, signingKeys, lifetime, baseUrl, authFrontUrl, others });
  return {
    handlers: { ...others, ...service },
    startTimed() {
      for (const part of parts) part.start?.();
    },
  };
}

/** Joins the handlers of all parts with those of the service itself: its files, and what it says about itself. */
import type { Handlers } from '../http/operation-request.ts';
import { clientFileHandlers } from '../http/routes/client-file.ts';
import { consoleHandlers } from '../http/routes/console.ts';
import { documentationHandlers } from '../http/routes/documentation.ts';
import { type ServiceParts, serviceHandlers } from '../http/routes/service.ts';
import type { Part, Wiring } from './wiring.ts';

type ServiceWiring = Wiring & Pick<ServiceParts, 'signingKeys' | 'lifetime'>;

/** Returns the handlers of all operations. */
export function joinHandlers(wiring: ServiceWiring, parts: readonly Part[]): Handlers {
  const { store, config, baseUrl, signingKeys, lifetime } = wiring;
  const { authFrontUrl } = config;
  const others: Handlers = {
    ...documentationHandlers({ baseUrl, authFrontUrl }),
    ...clientFileHandlers(),
    ...(config.console === 'on' && consoleHandlers({ baseUrl })),
  };
  for (const { handlers } of parts) Object.assign(others, handlers);
  return { ...others, ...serviceHandlers({ store, signingKeys, lifetime, baseUrl, authFrontUrl, others }) };
}

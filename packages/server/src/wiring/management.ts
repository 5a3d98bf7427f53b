/** Wires up management: accounts, projects, API keys, service accounts, usage and the audit trail. */
import { auditHandlers } from '../http/routes/audit.ts';
import { managementHandlers } from '../http/routes/management.ts';
import { serviceAccountHandlers } from '../http/routes/service-accounts.ts';
import { type UsageParts, usageHandlers } from '../http/routes/usage.ts';
import type { DisplayNames } from '../management/display-names.ts';
import { createSealer } from '../secrets/sealer.ts';
import { publishableKeyPurpose } from '../storage/contract/api-keys.ts';
import type { Part, Wiring } from './wiring.ts';

interface ManagementWiring extends Wiring, Pick<UsageParts, 'requests' | 'figures' | 'openStreams'> {
  readonly names: DisplayNames;
}

/** Wires up management. */
export function createManagement(wiring: ManagementWiring): Part {
  const { store, config, secretKeys, now, names, requests, figures, openStreams } = wiring;
  const keySealer = createSealer(secretKeys, publishableKeyPurpose);
  return {
    handlers: {
      ...managementHandlers({ store, isOutsideIssuer: config.idpIssuer !== undefined, keySealer }),
      ...serviceAccountHandlers(store),
      ...usageHandlers({ store, requests, figures, openStreams, now }),
      ...auditHandlers(store, names),
    },
  };
}

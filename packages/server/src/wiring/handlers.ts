/** Wires up the handlers of all operations, and the work at set times behind them. */

import { createFlags } from '../flags/flags.ts';
import type { RequestMeter } from '../limits/request-quota.ts';
import { createDisplayNames } from '../management/display-names.ts';
import type { Evaluator } from '../state/evaluation/evaluator.ts';
import { createUserStateRetentions } from '../state/user-state-retention.ts';
import type { RequestFigures } from '../usage/request-figures.ts';
import { type Access, identityIssuer } from './access.ts';
import type { ChangeStreams } from './change-streams.ts';
import { type JoinedParts, joinParts } from './joined-parts.ts';
import { createMails } from './mails.ts';
import { createManagement } from './management.ts';
import { createMergePart } from './merges.ts';
import { createProposals } from './proposals.ts';
import { createSchemas } from './schemas.ts';
import { createSignIn, type SignIn } from './sign-in.ts';
import { createPublicStatePart, createUserStateParts } from './states.ts';
import { startSweeps } from './sweeps.ts';
import { createTeam } from './team.ts';
import { createWebhooks } from './webhooks.ts';
import type { ServiceLifetime, Wiring } from './wiring.ts';

interface HandlerWiring extends Wiring {
  readonly access: Access;
  /** What counts requests, and evaluates their bodies. */
  readonly work: { readonly meter: RequestMeter; readonly figures: RequestFigures; readonly evaluator: Evaluator };
  readonly changes: ChangeStreams;
  readonly lifetime: Readonly<ServiceLifetime>;
}

/** The handlers of all operations, and the page of a refusal. */
export type Served = JoinedParts & Pick<SignIn, 'faultPage' | 'authNonce'>;

/** Returns the handlers of all operations, and starts the sweeps. */
export function createHandlers(wiring: HandlerWiring): Served {
  const { store, config, now, disposal, access, work, changes } = wiring;
  const { evaluator, meter, figures } = work;
  const retentions = createUserStateRetentions(store, now);
  const issuer = identityIssuer(config);
  const names = createDisplayNames(store, issuer);
  const mails = createMails(wiring);
  const signIn = createSignIn({ ...wiring, retentions, mails });
  const team = createTeam({ ...wiring, issuer, mails });
  const flags = createFlags(now);
  disposal.add('the threads of flags', () => flags.close());
  const webhooks = createWebhooks({ ...wiring, evaluator, names });
  const schemas = createSchemas({ ...wiring, evaluator, flags, names });
  const ofUsers = { retentions, evaluator, checks: schemas.checks.of('user-state'), watchers: changes.userDocuments };
  const userStates = createUserStateParts({ store, now, names, ...ofUsers, subscribers: webhooks.userSubscribers });
  const publicStates = createPublicStatePart({
    store,
    evaluator,
    now,
    flags,
    names,
    checks: schemas.checks.of('public-state'),
    watchers: changes.publicDocuments,
    subscribers: webhooks.publicSubscribers,
  });
  startSweeps({ ...wiring, sweepUserStates: userStates.sweep });
  const parts = {
    mails,
    management: createManagement({ ...wiring, names, requests: meter, figures, openStreams: changes.openStreams }),
    publicStates,
    changes,
    signIn,
    team,
    userStates,
    schemas,
    merges: createMergePart({ store, now, guests: signIn.guests, ...ofUsers }),
    webhooks,
    proposals: createProposals({ ...wiring, evaluator, states: publicStates.states, names }),
  };
  return { ...signIn, ...joinParts({ ...wiring, signingKeys: access.signingKeys }, Object.values(parts)) };
}

/** Wires up mails. Their parts are loaded with the first mail, or at the start if a mail server is set. */

import { join } from 'node:path';
import { loadable } from '../common/async/memoised.ts';
import { MailCounts } from '../identity/built-in/mails/mail-counts.ts';
import type { MailQueue } from '../identity/built-in/mails/mail-queue.ts';
import type { Throttles } from '../identity/built-in/throttles.ts';
import { windowOpener } from '../limits/shared-window.ts';
import type { ProjectKey } from '../storage/contract/projects.ts';
import { parseSettings } from '../storage/contract/sign-in-settings.ts';
import { type Part, sealerOf, type Wiring } from './wiring.ts';

export interface MailParts {
  readonly queue: MailQueue;
  /** The throttles that count mails; mails that were never sent are subtracted. */
  readonly throttles: Throttles;
}

export interface Mails extends Part {
  load(): Promise<MailParts>;
  /** Looks for mails left by an earlier process. The service must be listening, since links contain its address. */
  start(): void;
}

/** Returns what sends all mails of this process. When closed, mails being sent have a little time. */
export function createMails(wiring: Wiring): Mails {
  const { config, log, observation, disposal } = wiring;
  const counts = observation.metrics?.mails ?? new MailCounts();
  const { load, ifLoaded } = loadable(() => createParts(wiring, counts));
  disposal.addSettling('the mails', () => ifLoaded(({ queue }) => queue.close()));
  return {
    load,
    start() {
      if (config.smtpUrl === undefined) return;
      load().then(
        ({ queue }) => queue.start(),
        (error) => log.error({ error }, 'no mail can be sent'),
      );
    },
  };
}

async function createParts(wiring: Wiring, counts: MailCounts): Promise<MailParts> {
  const { store, config, log, authFrontUrl, now } = wiring;
  const [{ createMailQueue }, { createMailRenderer }, { createMailer }, { createThrottles }, { mailLookOf }] =
    await Promise.all([
      import('../identity/built-in/mails/mail-queue.ts'),
      import('../identity/built-in/mails/mail-drafts.ts'),
      import('../identity/built-in/mails/mail.ts'),
      import('../identity/built-in/throttles.ts'),
      import('../login/mail-look.ts'),
    ]);
  const throttles = createThrottles(windowOpener(store), now);
  const brandOf = async (project: ProjectKey) => {
    const [found, text] = await Promise.all([store.findProject(project), store.readPlayerAuth(project)]);
    if (found === undefined || text === undefined) return undefined;
    return mailLookOf(found.name, parseSettings(text), config.mailTexts === 'allowed');
  };
  const queue = createMailQueue({
    store,
    mailer: createMailer({
      smtpUrl: config.smtpUrl,
      from: config.mailFrom,
      outboxFolder: join(config.dataDir, 'outbox'),
      onWritten: (path) => log.info({ path }, 'a mail was written to a file, since SVC_SMTP_URL is not set'),
      now,
    }),
    renderMail: createMailRenderer({ store, brandOf, authFrontUrl, now }),
    seals: sealerOf(wiring, 'mail'),
    throttles,
    counts,
    now,
    onFault: (error) => log.warn({ error }, 'a mail could not be sent'),
  });
  return { queue, throttles };
}

/** The settings that limit what clients and accounts may use, and what accounts may keep. */
import { authRateDefaultText } from './auth-rate-default.ts';
import type { Setting } from './setting.ts';
import { wholeNumber } from './values.ts';

const quota = (unit: string) => ({ type: wholeNumber('count', 0, 1e15 - 1), default: '0', unit }) as const;

export const limitSettings = {
  rateLimitPerMinute: {
    env: 'SVC_RATE_LIMIT_PER_MINUTE',
    type: wholeNumber('count', 0, 1e9),
    default: '600',
    unit: 'requests per minute',
    help: 'Requests of one player, developer or API key, with all their tokens together, and of one client address with a publishable API key; 0 is unlimited.',
  },
  authRateLimitPerMinute: {
    env: 'SVC_AUTH_RATE_LIMIT_PER_MINUTE',
    type: wholeNumber('count', 0, 1e9),
    unset: authRateDefaultText,
    unit: 'requests per minute',
    help: 'Requests of one client address to the anonymous sign-in routes; 0 is unlimited.',
  },
  guestsPerHour: {
    env: 'SVC_GUESTS_PER_HOUR',
    type: wholeNumber('count', 0, 1e9),
    default: '120',
    unit: 'guests per hour',
    help: 'New guests from one client address, four times as many from one IPv6 /48 network; 0 is unlimited.',
  },
  mailsPerHour: {
    env: 'SVC_MAILS_PER_HOUR',
    type: wholeNumber('count', 0, 1e9),
    default: '50',
    unit: 'mails per hour',
    help: 'Mails with a code or a link that one client address may request; 0 is unlimited. Everybody behind one router, as in a school, is one address.',
  },
  auditDays: {
    env: 'SVC_AUDIT_DAYS',
    type: wholeNumber('days', 1, 36_500),
    default: '400',
    unit: 'days',
    help: 'How long audit trails keep a record.',
  },
  quotaApiRequestsPerMonth: {
    env: 'SVC_QUOTA_API_REQUESTS_PER_MONTH',
    ...quota('requests per month'),
    help: 'Requests of one account in a calendar month (UTC); 0 is unlimited.',
  },
  quotaProjects: { env: 'SVC_QUOTA_PROJECTS', ...quota('projects'), help: 'Projects of one account; 0 is unlimited.' },
  quotaEndUsers: {
    env: 'SVC_QUOTA_END_USERS',
    ...quota('players'),
    help: 'Players with a save in the projects of one account; 0 is unlimited.',
  },
  quotaStorageBytes: {
    env: 'SVC_QUOTA_STORAGE_BYTES',
    ...quota('bytes'),
    help: 'Bytes of one account: every version of its configuration, with comments, and its saves; 0 is unlimited.',
  },
} as const satisfies Record<string, Setting<unknown>>;

/** The settings that limit what clients and accounts may use, and what is kept of accounts. */
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
    help: 'Requests of one end user, developer or API key, with all their tokens together, and of one client address with a publishable API key; 0 switches the limit off.',
  },
  authRateLimitPerMinute: {
    env: 'SVC_AUTH_RATE_LIMIT_PER_MINUTE',
    type: wholeNumber('count', 0, 1e9),
    unset: authRateDefaultText,
    unit: 'requests per minute',
    help: 'Requests of one client address to the anonymous sign-in routes; 0 switches the limit off.',
  },
  guestsPerHour: {
    env: 'SVC_GUESTS_PER_HOUR',
    type: wholeNumber('count', 0, 1e9),
    default: '120',
    unit: 'guests per hour',
    help: 'Guests without a save that one client address may bring in an hour; 0 switches the limit off. A network of IPv6 may bring four times as many.',
  },
  mailsPerHour: {
    env: 'SVC_MAILS_PER_HOUR',
    type: wholeNumber('count', 0, 1e9),
    default: '50',
    unit: 'mails per hour',
    help: 'Mails with a code or a link that one client address may request in an hour; 0 switches the limit off. Everybody behind one router, as in a school, counts as one address.',
  },
  auditDays: {
    env: 'SVC_AUDIT_DAYS',
    type: wholeNumber('days', 1, 36_500),
    default: '400',
    unit: 'days',
    help: 'How long the audit trails of accounts keep a record.',
  },
  quotaApiRequestsPerMonth: {
    env: 'SVC_QUOTA_API_REQUESTS_PER_MONTH',
    ...quota('requests per month'),
    help: 'Requests of one account in a calendar month (UTC); 0 is unlimited.',
  },
  quotaProjects: { env: 'SVC_QUOTA_PROJECTS', ...quota('projects'), help: 'Projects of one account; 0 is unlimited.' },
  quotaEndUsers: {
    env: 'SVC_QUOTA_END_USERS',
    ...quota('end users'),
    help: 'End users with state in the projects of one account; 0 is unlimited.',
  },
  quotaStorageBytes: {
    env: 'SVC_QUOTA_STORAGE_BYTES',
    ...quota('bytes'),
    help: 'Bytes of state of one account, including every version of public state and its comment; 0 is unlimited.',
  },
} as const satisfies Record<string, Setting<unknown>>;

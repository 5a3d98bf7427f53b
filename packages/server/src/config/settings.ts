/** Every setting of the service, declared once: for the parser, `holdfast config` and `docs/configuration.md`. */
import {
  dottedPath,
  folder,
  host,
  issuerUrl,
  linkUrl,
  mailSender,
  networks,
  oneOf,
  origins,
  plainText,
  postgresUrl,
  redirectUris,
  requestParameter,
  secretKey,
  smtpUrl,
  type ValueType,
  webUrl,
  wholeNumber,
} from './values.ts';

export interface Setting<Value> {
  /** The environment variable. */
  readonly env: `SVC_${string}`;
  /** A variable of the platform that is read where `env` is not set. */
  readonly alternative?: string;
  readonly type: ValueType<Value>;
  /** As it would be written in the environment. Without one, the value is undefined until something is set. */
  readonly default?: string;
  /** Shown in place of the value while there is no default. */
  readonly unset?: string;
  readonly unit?: string;
  readonly help: string;
  /** Never shown. */
  readonly secret?: true;
}

const daySeconds = 24 * 60 * 60;
const quota = (unit: string) => ({ type: wholeNumber('count', 0, 1e15 - 1), default: '0', unit }) as const;

export const settings = {
  host: {
    env: 'SVC_HOST',
    type: host,
    default: '127.0.0.1',
    help: 'Address that the service listens on. `localhost` is both loopback addresses, and lets browsers use passkeys.',
  },
  port: {
    env: 'SVC_PORT',
    alternative: 'PORT',
    type: wholeNumber('port', 0, 65_535),
    default: '8787',
    help: 'Port that the service listens on; 0 takes a free one. Where it is not set, `PORT` is read.',
  },
  baseUrl: {
    env: 'SVC_BASE_URL',
    type: webUrl,
    unset: 'http://{host}:{port}',
    help: 'Address that clients use to reach the service. It is the issuer of tokens and the prefix of absolute URLs.',
  },
  authFrontUrl: {
    env: 'SVC_AUTH_FRONT_URL',
    type: webUrl,
    unset: 'the base URL',
    help: 'Address of the login page, which is at `/authorize` below it.',
  },
  dataDir: {
    env: 'SVC_DATA_DIR',
    type: folder,
    default: './data',
    help: 'Folder of the embedded database and of generated secrets.',
  },
  databaseUrl: {
    env: 'SVC_DATABASE_URL',
    type: postgresUrl,
    unset: 'embedded SQLite in the data folder',
    secret: true,
    help: 'PostgreSQL database (`postgres://…`) to use instead of the embedded one. Needs `SVC_SECRET_KEY`. Several hosts, separated by commas, are tried in order. The parameter `pgbouncer=true` says that a pooler assigns connections per transaction.',
  },
  databaseConnections: {
    env: 'SVC_DATABASE_CONNECTIONS',
    type: wholeNumber('count', 1, 10_000),
    default: '16',
    unit: 'connections',
    help: 'Maximum number of connections that this process opens to PostgreSQL. All nodes together must stay below the limit of the server.',
  },
  databaseAnswerMilliseconds: {
    env: 'SVC_DATABASE_ANSWER_MILLISECONDS',
    type: wholeNumber('milliseconds', 1_000, 60_000),
    default: '2400',
    unit: 'milliseconds',
    help: 'Longest time to wait for PostgreSQL before a request gets 503.',
  },
  idpIssuer: {
    env: 'SVC_IDP_ISSUER',
    type: issuerUrl,
    unset: 'the built-in identity provider',
    help: 'OpenID Connect issuer whose ID tokens are accepted. Needs `SVC_IDP_AUDIENCE`.',
  },
  idpAudience: { env: 'SVC_IDP_AUDIENCE', type: plainText, help: 'Audience that the ID tokens of that issuer must carry.' },
  idpClientSecret: {
    env: 'SVC_IDP_CLIENT_SECRET',
    type: plainText,
    unset: 'none: the login page is a public client',
    secret: true,
    help: 'Client secret of the login page at that issuer.',
  },
  idpTenantParameter: {
    env: 'SVC_IDP_TENANT_PARAMETER',
    type: requestParameter,
    default: 'scope',
    help: 'Request parameter that names the tenant of end users to that issuer. With `scope`, the tenant is one more scope.',
  },
  idpTenantClaim: {
    env: 'SVC_IDP_TENANT_CLAIM',
    type: dottedPath,
    default: 'firebase.tenant',
    help: 'Where an ID token names its tenant.',
  },
  idpProviderClaim: {
    env: 'SVC_IDP_PROVIDER_CLAIM',
    type: dottedPath,
    default: 'firebase.sign_in_provider',
    help: 'Where an ID token names the sign-in method.',
  },
  idpEmailVerified: {
    env: 'SVC_IDP_EMAIL_VERIFIED',
    type: oneOf('stated', 'assumed'),
    default: 'assumed',
    help: 'Whether an email address is taken over only when that issuer states that it was verified (`email_verified`), or also when it says nothing.',
  },
  idpPrivateAddresses: {
    env: 'SVC_IDP_PRIVATE_ADDRESSES',
    type: oneOf('refused', 'allowed'),
    default: 'refused',
    help: 'Whether the identity providers of accounts may be at private, loopback and link-local addresses, and there without TLS. The issuer in `SVC_IDP_ISSUER` may always.',
  },
  smtpUrl: {
    env: 'SVC_SMTP_URL',
    type: smtpUrl,
    unset: 'none: mails are written to `outbox` in the data folder',
    secret: true,
    help: 'SMTP server that delivers mails: `smtp://user:password@host:587`, or `smtps://…` for TLS from the start.',
  },
  mailFrom: {
    env: 'SVC_MAIL_FROM',
    type: mailSender,
    default: 'Holdfast <holdfast@localhost>',
    help: 'Sender of mails: an address, or a name followed by an address in angle brackets.',
  },
  termsUrl: {
    env: 'SVC_TERMS_URL',
    type: linkUrl,
    unset: 'no link',
    help: 'Page with the terms of use. The login pages link to it.',
  },
  privacyUrl: {
    env: 'SVC_PRIVACY_URL',
    type: linkUrl,
    unset: 'no link',
    help: 'Page with the privacy statement. The login pages link to it.',
  },
  developerRedirectUris: {
    env: 'SVC_DEVELOPER_REDIRECT_URIS',
    type: redirectUris,
    default: [8976, 8977, 8978].map((port) => `http://127.0.0.1:${port}/callback`).join(','),
    help: 'Redirect URIs of developer sign-in, beside that of the console. The default is for command-line programs.',
  },
  console: { env: 'SVC_CONSOLE', type: oneOf('on', 'off'), default: 'on', help: 'Whether the console is served.' },
  developerSignup: {
    env: 'SVC_DEVELOPER_SIGNUP',
    type: oneOf('open', 'closed'),
    default: 'open',
    help: 'Whether the first sign-in of an unknown developer creates an account.',
  },
  accessTokenSeconds: {
    env: 'SVC_ACCESS_TOKEN_SECONDS',
    type: wholeNumber('seconds', 1, 30 * daySeconds),
    default: '900',
    unit: 'seconds',
    help: 'Lifetime of an access token.',
  },
  refreshReplayGraceSeconds: {
    env: 'SVC_REFRESH_REPLAY_GRACE_SECONDS',
    type: wholeNumber('seconds', 0, 3_600),
    default: '10',
    unit: 'seconds',
    help: 'How long a refresh token that is used again is refused without revoking its token family.',
  },
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
    unset: '120, or `SVC_RATE_LIMIT_PER_MINUTE` if that is set and larger',
    unit: 'requests per minute',
    help: 'Requests of one client address to the anonymous sign-in routes; 0 switches the limit off.',
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
  requestSizeLimitBytes: {
    env: 'SVC_REQUEST_SIZE_LIMIT_BYTES',
    type: wholeNumber('bytes', 1, 64 * 1024 * 1024),
    default: String(2 * 1024 * 1024),
    unit: 'bytes',
    help: 'Largest JSON body. Below 1,600,000, a valid state can be refused when its characters are escaped.',
  },
  bodyTimeoutSeconds: {
    env: 'SVC_BODY_TIMEOUT_SECONDS',
    type: wholeNumber('seconds', 1, 3_600),
    default: '30',
    unit: 'seconds',
    help: 'Longest time that a request body may take to arrive.',
  },
  connectionsMax: {
    env: 'SVC_CONNECTIONS_MAX',
    type: wholeNumber('count', 1, 1e6),
    default: '8192',
    unit: 'connections',
    help: 'Maximum number of open connections. Beyond it, idle connections are closed and new ones get 503.',
  },
  streamsMax: {
    env: 'SVC_STREAMS_MAX',
    type: wholeNumber('count', 0, 1e6),
    default: '20000',
    unit: 'streams',
    help: 'Maximum number of change streams of this process, at most three quarters of its connections.',
  },
  trustProxy: {
    env: 'SVC_TRUST_PROXY',
    type: networks,
    unset: 'none: `X-Forwarded-*` is ignored',
    help: 'Addresses of proxies whose `X-Forwarded-*` headers are trusted.',
  },
  corsOrigins: {
    env: 'SVC_CORS_ORIGINS',
    type: origins,
    default: '*',
    help: 'Origins whose pages may call the API from a browser; `*` means any.',
  },
  secretKey: {
    env: 'SVC_SECRET_KEY',
    type: secretKey,
    unset: 'generated into the data folder',
    secret: true,
    help: 'Key that encrypts stored signing keys and provider secrets. Required with PostgreSQL.',
  },
  logLevel: {
    env: 'SVC_LOG_LEVEL',
    type: oneOf('debug', 'info', 'warn', 'error'),
    default: 'info',
    help: 'Lowest level that is logged.',
  },
  logFormat: {
    env: 'SVC_LOG_FORMAT',
    type: oneOf('auto', 'json', 'pretty'),
    default: 'auto',
    help: 'Format of log lines: `pretty` for people, `json` for programs; `auto` is `pretty` on a terminal and `json` otherwise.',
  },
  logRequests: {
    env: 'SVC_LOG_REQUESTS',
    type: oneOf('all', 'refused'),
    default: 'all',
    help: 'Which requests get a line in the log at level `info`: all, or only refused and failed ones.',
  },
  metricsPort: {
    env: 'SVC_METRICS_PORT',
    type: wholeNumber('port', 0, 65_535),
    unset: 'no metrics',
    help: 'Port of the metrics for Prometheus, at `/metrics`; 0 takes a free one.',
  },
  metricsHost: {
    env: 'SVC_METRICS_HOST',
    type: host,
    default: '127.0.0.1',
    help: 'Address that the metrics are served on. Everybody who can reach it can read them.',
  },
} as const satisfies Record<string, Setting<unknown>>;

export type SettingName = keyof typeof settings;

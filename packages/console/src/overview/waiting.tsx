/** What needs attention: unsaved changes, broken rules, expiring keys, warnings about sign-in, failing webhooks. */
import { environments, type SchemaKind, schemaKinds } from '@holdfast/contract';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronRight, TriangleAlert } from 'lucide-react';
import { may, useAuthority } from '../api/authority.ts';
import { drafts } from '../api/drafts.ts';
import { keysQuery, signInQuery } from '../api/queries.ts';
import { schemaQuery, schemaReportQuery } from '../api/schemas.ts';
import { type StateKey, stateKeyName } from '../api/state.ts';
import { isFailing, webhookName, webhooksQuery } from '../api/webhooks.ts';
import { providerNames } from '../sign-in-settings/method-names.ts';
import { formatNumber, textsOf, useTexts } from '../texts/index.ts';
import { plain } from '../ui/plain-text.ts';
import { Ago } from '../ui/table.tsx';

const [useOverviewTexts] = textsOf('overview');

/** Keys that expire within this time are named. */
const soonMs = 14 * 86_400_000;
/** Long expired ones are forgotten. */
const latelyMs = 7 * 86_400_000;

export function Waiting({ stateKey }: { stateKey: StateKey }) {
  const t = useTexts();
  const ot = useOverviewTexts();
  const { accountId, slug } = stateKey;
  const project = { accountId, slug };
  const own = useAuthority();
  const unsaved = useUnsaved(stateKey);
  const { data: keys = [] } = useQuery({ ...keysQuery(project), enabled: may(own, 'read_access') });
  const { data: signIn } = useQuery({ ...signInQuery(project), enabled: may(own, 'read_settings') });
  const [warning, ...others] = signIn?.enabled === true ? (signIn.warnings ?? []) : [];
  const { data: webhooks = [] } = useQuery({ ...webhooksQuery(project), enabled: may(own, 'manage') });
  const failing = webhooks.filter(
    (one) => isFailing(one) && (one.environments === null || one.environments.includes('production')),
  );
  const now = Date.now();
  const expiring = keys.flatMap(({ id, name, expiresAt }) => {
    const at = expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);
    return at - now < soonMs && now - at < latelyMs ? [{ id, name, at }] : [];
  });
  const broken = useBroken(stateKey);
  const count = unsaved.length + broken.length + expiring.length + failing.length + (warning === undefined ? 0 : 1);
  if (count === 0) return null;
  return (
    <section className="card overview-waiting">
      <div className={count === 1 ? 'hidden-text' : 'card-bar'}>
        <h2>{ot.waiting}</h2>
      </div>
      <ul>
        {unsaved.map(({ env, savedAt }) => (
          <li key={env}>
            <Link to="/p/$slug/$env/state" params={{ slug, env }}>
              <Point at={new Date(savedAt).toISOString()} action={ot.act.draft}>
                {ot.draft(t.environments[env])}
              </Point>
            </Link>
          </li>
        ))}
        {broken.map(({ kind, changes }) => (
          <li key={kind}>
            <Link to="/p/$slug/$env/schemas" params={{ slug, env: stateKey.env }} search={{ kind, view: 'report' }}>
              <Point action={ot.act.broken}>{ot.broken(ot.rulesOf[kind], changes, formatNumber(changes))}</Point>
            </Link>
          </li>
        ))}
        {expiring.map(({ id, name, at }) => (
          <li key={id}>
            <Link to="/p/$slug/keys" params={{ slug }}>
              <Point at={new Date(at).toISOString()} action={ot.act.key}>
                {(at > now ? ot.keyExpires : ot.keyExpired)(plain(name))}
              </Point>
            </Link>
          </li>
        ))}
        {failing.map((webhook) => (
          <li key={webhook.id}>
            <Link to="/p/$slug/webhooks/$webhookId" params={{ slug, webhookId: webhook.id }}>
              <Point at={webhook.lastDelivery?.at} action={ot.act.webhook}>
                {ot.webhookFails(plain(webhookName(webhook)))}
              </Point>
            </Link>
          </li>
        ))}
        {warning !== undefined && (
          <li>
            <Link to="/p/$slug/sign-in" params={{ slug }}>
              <Point
                action={ot.act.signIn}
              >{`${ot.signIn[warning.code](plain(providerNames[warning.value] ?? warning.value))}${others.length > 0 ? ot.more(others.length) : ''}`}</Point>
            </Link>
          </li>
        )}
      </ul>
    </section>
  );
}

/** The environments with unsaved changes in this browser, and when each was last kept. */
function useUnsaved(stateKey: StateKey) {
  const { data: found = [] } = useQuery({
    queryKey: ['drafts', stateKey.accountId, stateKey.slug],
    staleTime: 0,
    queryFn: () =>
      Promise.all(
        environments.map(async (env) => {
          const draft = await drafts.read(stateKeyName({ ...stateKey, env })).catch(() => undefined);
          return { env, savedAt: draft?.savedAt };
        }),
      ),
  });
  return found.flatMap(({ env, savedAt }) => (savedAt === undefined ? [] : [{ env, savedAt }]));
}

/** The rules of an environment that only report, and how many changes have broken them. */
function useBroken(stateKey: StateKey): readonly { readonly kind: SchemaKind; readonly changes: number }[] {
  const schemas = useQueries({ queries: schemaKinds.map((kind) => schemaQuery({ ...stateKey, kind })) });
  const reports = useQueries({
    queries: schemaKinds.map((kind, index) => ({
      ...schemaReportQuery({ ...stateKey, kind }),
      enabled: schemas[index]?.data?.mode === 'report',
      refetchInterval: false as const,
    })),
  });
  return schemaKinds.flatMap((kind, index) => {
    const items = schemas[index]?.data?.mode === 'report' ? (reports[index]?.data ?? []) : [];
    const changes = items.reduce((sum, item) => sum + item.count, 0);
    return changes === 0 ? [] : [{ kind, changes }];
  });
}

interface PointProps {
  /** Since when it waits, or when it must be done, if known. */
  readonly at?: string | undefined;
  /** What its page is for. */
  readonly action: string;
  readonly children: string;
}

/** The content of a row: what waits, since when, and what to do about it. */
const Point = ({ at, action, children }: PointProps) => (
  <>
    <TriangleAlert aria-hidden="true" />
    <span className="overview-waiting-text">
      <span>{children}</span>{' '}
      {at !== undefined && (
        <small className="hint">
          <Ago time={at} />
        </small>
      )}
    </span>
    <span className="waiting-action">{action}</span>
    <ChevronRight aria-hidden="true" />
  </>
);

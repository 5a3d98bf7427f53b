/** Checks whether the issuers that sign people in provide metadata and keys. */
import type { Config } from '../../config/config.ts';
import { developersAccountId } from '../../identity/built-in/federation/federation.ts';
import { presetOf } from '../../identity/built-in/federation/presets.ts';
import { fetchProviderKeys, keysIn } from '../../identity/provider-keys.ts';
import { countKeys, discover, type NetworkAccess } from '../../identity/upstream-client.ts';
import type { Fetch } from '../../outbound/fetch.ts';
import type { NamedProvider } from '../../storage/sql/upkeep/inspection.ts';
import { reachOfProviders } from '../../wiring/provider-reach.ts';
import { type Answer, answerMilliseconds, answersOf, reasonOf } from './findings.ts';

/** At most this many are asked. */
const issuersMax = 100;
/** How many are asked at the same time. */
const atOnce = 8;

/** Limits all requests together to the time for one server. */
function bounded(fetch: Fetch): Fetch {
  const deadline = AbortSignal.timeout(answerMilliseconds);
  return (url, init) => fetch(url, { ...init, signal: init.signal ? AbortSignal.any([init.signal, deadline]) : deadline });
}

const countedKeys = (count: number) => (count === 1 ? 'one key' : `${count} keys`);

/** Asks the configured outside issuer, as the service does to verify its ID tokens. */
export async function askOutsideIssuer(issuer: string): Promise<Answer> {
  const { good, bad } = answersOf('issuer', `the issuer ${issuer}`);
  const advice =
    'make sure that it runs and that SVC_IDP_ISSUER is its issuer, to the character; nobody can sign in until then';
  try {
    const { length } = keysIn(
      await fetchProviderKeys(
        issuer,
        bounded((url, init) => fetch(url, init)),
      ),
    );
    return length > 0 ? good(`answers with ${countedKeys(length)}`) : bad('error', 'publishes no keys', advice);
  } catch (fault) {
    return bad('error', `cannot be used: ${reasonOf(fault)}`, advice);
  }
}

/** An issuer, and one of the accounts that configured it. */
interface Asked {
  readonly issuer: string;
  readonly accountId: string;
  readonly providerId: string;
  readonly others: number;
}

/** Asks each issuer of the providers once, within the addresses that the service may reach. GitHub has no metadata and is not asked. */
export async function askProviders(config: Config, ofAccounts: readonly NamedProvider[]): Promise<readonly Answer[]> {
  const ofDevelopers = (config.developerProviders ?? []).map(({ providerId, secret: _, ...settings }) => {
    return { accountId: developersAccountId, providerId, settings };
  });
  const issuers = distinct([...ofDevelopers, ...ofAccounts]);
  const waiting = issuers.slice(0, issuersMax);
  const answers: Answer[] = [];
  const ask = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      answers.push(await askProvider(next, reachOfProviders(config)));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, ask));
  answers.sort((one, other) => (one.asked < other.asked ? -1 : 1));
  if (issuers.length <= issuersMax) return answers;
  const { bad } = answersOf('provider', `${issuers.length - issuersMax} further identity providers`);
  return [...answers, bad('note', 'were not asked', `nothing to do: at most ${issuersMax} are asked`)];
}

function distinct(providers: readonly NamedProvider[]): Asked[] {
  const issuers = new Map<string, Asked>();
  for (const { accountId, providerId, settings } of providers) {
    const issuer = presetOf(providerId, settings)?.issuer ?? null;
    if (issuer === null) continue;
    const known = issuers.get(issuer);
    issuers.set(issuer, known ? { ...known, others: known.others + 1 } : { issuer, accountId, providerId, others: 0 });
  }
  return [...issuers.values()];
}

async function askProvider({ issuer, accountId, providerId, others }: Asked, network: NetworkAccess): Promise<Answer> {
  const isOfDevelopers = accountId === developersAccountId;
  const subject = isOfDevelopers ? `${providerId} of developers` : `${accountId}/${providerId}`;
  const more = others === 0 ? '' : ` and ${others} more`;
  const { good, bad } = answersOf('provider', `the identity provider ${issuer} (${subject}${more})`);
  const advice = isOfDevelopers
    ? 'make sure that it runs, and that the settings name its issuer'
    : `make sure that it runs, or tell the account: PUT /v1/${accountId}/identity-providers/${providerId} sets another issuer`;
  try {
    const within = { ...network, fetch: bounded(network.fetch) };
    const configuration = await discover({ issuer, clientId: 'doctor', secret: null }, within);
    const count = await countKeys(configuration, within);
    return count > 0 ? good(`answers with ${countedKeys(count)}`) : bad('warning', 'publishes no keys', advice);
  } catch (fault) {
    const isOfAnother = (fault as { code?: unknown } | null)?.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';
    return bad('warning', `cannot be used: ${isOfAnother ? 'its metadata names another issuer' : reasonOf(fault)}`, advice);
  }
}

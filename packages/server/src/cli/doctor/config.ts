/** Findings about the settings. */

import { isLoopback } from '../../common/net/loopback.ts';
import { type Config, type Environment, readConfig } from '../../config/config.ts';
import { examineExposure } from './exposure.ts';
import { type Finding, findingOf } from './findings.ts';

const found = findingOf('configuration');

/** Returns the configuration, and a finding for each faulty setting, which is treated as unset. */
export function readConfigLeniently(environment: Environment): {
  readonly config: Config;
  readonly findings: readonly Finding[];
} {
  const outcome = readConfig(environment);
  if (outcome.kind === 'config') return { config: outcome.config, findings: [] };
  const atFault = new Set(outcome.faults.flatMap((fault) => fault.match(/SVC_[A-Z0-9_]+/g) ?? []));
  const { config } = readConfigLeniently(
    Object.fromEntries(Object.entries(environment).filter(([name]) => !atFault.has(name))),
  );
  const advice =
    'the service does not start with this: correct or unset the setting (docs/configuration.md lists all settings)';
  return { config, findings: outcome.faults.map((fault) => found('error', fault, advice)) };
}

/** Returns findings about settings that are allowed but probably unintended. */
export function examineConfig(config: Config): Finding[] {
  const { baseUrl, host } = config;
  return [...examineBaseUrl(baseUrl, host), ...examineProxies(config), ...examineExposure(config)];
}

function examineBaseUrl(baseUrl: string | undefined, host: string): Finding[] {
  if (baseUrl === undefined) return [];
  const { protocol, hostname } = new URL(baseUrl);
  if (/^(?:0\.0\.0\.0|\[::\])$/.test(hostname)) {
    return [
      found(
        'warning',
        `the base URL is ${baseUrl}, which no client can call`,
        'set SVC_BASE_URL to the address that clients use; it is in every token and link',
      ),
    ];
  }
  if (protocol === 'http:' && !isLoopback(hostname)) {
    return [
      found(
        'warning',
        `the base URL ${baseUrl} is not encrypted: others can read tokens and states on the network`,
        'put a proxy with TLS in front, and set SVC_BASE_URL to its https address',
      ),
    ];
  }
  if (isLoopback(hostname) && !isLoopback(host)) {
    return [
      found(
        'warning',
        `the service listens on ${host}, but its base URL ${baseUrl} only works on this machine`,
        'set SVC_BASE_URL to the address that clients use, or SVC_HOST to 127.0.0.1',
      ),
    ];
  }
  return [];
}

/** The service has no TLS, and a loopback address is unreachable from elsewhere, so a different base URL belongs to a proxy. */
function isOfProxy(baseUrl: string, host: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'https:' || (isLoopback(host) && !isLoopback(hostname));
}

function examineProxies({ baseUrl, host, trustProxy }: Config): Finding[] {
  if (baseUrl !== undefined && trustProxy === undefined && isOfProxy(baseUrl, host)) {
    return [
      found(
        'warning',
        'the base URL is that of a proxy, but SVC_TRUST_PROXY is not set: all clients share the limits of one address',
        'set SVC_TRUST_PROXY to the address from which the proxy connects, such as 127.0.0.1',
      ),
    ];
  }
  // Addresses from ranges reserved for documentation, which no proxy has.
  if (['192.0.2.1', '203.0.113.1'].every((address) => trustProxy?.check(address))) {
    return [
      found(
        'warning',
        'SVC_TRUST_PROXY covers the whole internet: every client can claim any address and avoid the limits',
        'name only the addresses of your proxies',
      ),
    ];
  }
  return [];
}

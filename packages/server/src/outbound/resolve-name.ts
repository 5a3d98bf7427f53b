/**
 * Resolves names by asking name servers, without the threads of the system's resolver: a tenant's slow name server would otherwise keep
 * password hashes and files waiting.
 */
import { type LookupAddress, NODATA, Resolver } from 'node:dns';
import { createHostsFile } from './hosts-file.ts';

/** Looks up all addresses of a name. */
export type Resolve = (
  hostname: string,
  callback: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

/** How long a name server may take, and how often it is asked. */
const patience = { timeout: 3_000, tries: 2 };
const thisMachine: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Returns the look-up at name servers, by default those of the system. Names in the file `hosts` have the addresses there; `localhost` and
 * the names below it are this machine.
 *
 * @see RFC 6761 §6.3
 */
export function createResolveName(servers?: readonly string[], inHostsFile = createHostsFile()): Resolve {
  const resolver = new Resolver(patience);
  if (servers !== undefined) resolver.setServers(servers);
  return (hostname, callback) => {
    if (/(^|\.)localhost$/i.test(hostname)) return callback(null, thisMachine);
    const given = inHostsFile(hostname);
    if (given.length > 0) return callback(null, [...given]);
    const found: LookupAddress[] = [];
    let [left, fault] = [2, null as NodeJS.ErrnoException | null];
    const settled = (family: 4 | 6) => (error: NodeJS.ErrnoException | null, addresses: string[] | undefined) => {
      left -= 1;
      for (const address of addresses ?? []) found.push({ address, family });
      if (error !== null && (fault === null || fault.code === NODATA)) fault = error;
      if (left === 0) callback(found.length > 0 ? null : fault, found);
    };
    resolver.resolve4(hostname, settled(4));
    resolver.resolve6(hostname, settled(6));
  };
}

export const resolveName = createResolveName();

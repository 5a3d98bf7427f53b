/** The attacker's host names and their addresses: the server loads this file first, instead of using the attacker's name server. */
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Resolves to this machine's network. */
export const inwardName = 'inward.siege.example';

/** Settings of a process that resolves these names. */
export const namesFromHere: Readonly<Record<string, string>> = {
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${fileURLToPath(import.meta.url)}`.trim(),
};

const { lookup } = dns;
const { resolve4 } = dns.Resolver.prototype;
const lookupPromise = dns.promises.lookup;
const known = { address: '127.0.0.1', family: 4 } as const;

type LookupCallback = (error: Error | null, address: unknown, family?: number) => void;

/** Answers like `dns.lookup`, in each of its forms. */
function lookUp(name: string, ...rest: readonly unknown[]): void {
  if (name !== inwardName) {
    Reflect.apply(lookup, dns, [name, ...rest]);
    return;
  }
  const callback = rest.at(-1) as LookupCallback;
  const isForAll = rest.length > 1 && (rest[0] as { readonly all?: boolean } | undefined)?.all === true;
  process.nextTick(() => (isForAll ? callback(null, [known]) : callback(null, known.address, known.family)));
}

/** Answers like `Resolver.resolve4`, for which the name has the same address. */
function resolveFour(this: dns.Resolver, name: string, callback: (error: Error | null, found: string[]) => void): void {
  if (name === inwardName) process.nextTick(callback, null, [known.address]);
  else Reflect.apply(resolve4, this, [name, callback]);
}

if (process.argv[1]?.endsWith('holdfast.mjs')) {
  Object.assign(dns, { lookup: lookUp });
  Object.assign(dns.Resolver.prototype, { resolve4: resolveFour });
  Object.assign(dns.promises, {
    lookup: async (name: string, options?: { readonly all?: boolean }) => {
      if (name !== inwardName) return Reflect.apply(lookupPromise, dns.promises, [name, options]);
      return options?.all === true ? [known] : known;
    },
  });
  syncBuiltinESMExports();
}

/** The names that the operator has given addresses in the system's file `hosts`. */
import type { LookupAddress } from 'node:dns';
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';

const systemFile = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';

/** Returns the addresses of a name in the file, none if it is not there. The file is read again once it has changed. */
export function createHostsFile(path = systemFile): (hostname: string) => readonly LookupAddress[] {
  let known: ReadonlyMap<string, readonly LookupAddress[]> = new Map();
  let readAt: number | undefined;
  return (hostname) => {
    const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (changedAt !== readAt) {
      readAt = changedAt;
      known = changedAt === undefined ? new Map() : addressesIn(readFileSync(path, 'utf8'));
    }
    return known.get(hostname.toLowerCase()) ?? [];
  };
}

function addressesIn(text: string): Map<string, LookupAddress[]> {
  const found = new Map<string, LookupAddress[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names) {
      const key = name.toLowerCase();
      found.set(key, [...(found.get(key) ?? []), { address, family }]);
    }
  }
  return found;
}

/**
 * A session's origin, in words for its owner: "Firefox · Windows · 203.0.113.0/24". Keeps only the address's network and two words of the
 * header `User-Agent`, which identify a household and a kind of device, but not a person.
 */
import { LRUCache } from 'lru-cache';
import { networkName } from '../../limits/client-address.ts';

const agentCharactersMax = 512;

/** The first match counts. Most browsers also name other browsers. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/\bWindows\b/, 'Windows'],
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

const nameIn = (names: typeof browsers, text: string) => names.find(([pattern]) => pattern.test(text))?.[1];

/** The words for recent agents: every refresh needs them, and most come from the same few programs. */
const knownAgents = new LRUCache<string, string>({ max: 256 });

/** Returns a session's origin. `clientName` is the name under which the client address is counted. */
export function sessionLabelOf(clientName: string, userAgent = ''): string {
  const agent = userAgent.slice(0, agentCharactersMax);
  let words = knownAgents.get(agent);
  if (words === undefined) {
    words = wordsOf(agent);
    knownAgents.set(agent, words);
  }
  return `${words}${shortened(clientName)}`;
}

/** Returns the words for a program and its operating system, each followed by a separator; empty if neither is known. */
function wordsOf(agent: string): string {
  // Other programs' agent strings begin with their names.
  const program = nameIn(browsers, agent) ?? /^[A-Za-z][A-Za-z-]{0,29}(?=[/ ]|$)/.exec(agent)?.[0];
  return [program, nameIn(systems, agent)].map((word) => (word === undefined ? '' : `${word} · `)).join('');
}

/** An IPv4 address's /24, or an IPv6 address's /48. */
function shortened(clientName: string): string {
  const [, network] = /^(\d+\.\d+\.\d+)\.\d+$/.exec(clientName) ?? [];
  return network === undefined ? networkName(clientName) : `${network}.0/24`;
}

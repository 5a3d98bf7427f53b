/** Common words, and those of the documentation. */
import type { Query } from 'minisearch';

/** Words of similar meaning. A search for one also finds the others, ranked below its own matches. */
const synonyms: readonly (readonly string[])[] = [
  ['restore', 'rollback', 'revert', 'undo', 'undid'],
  ['delete', 'erase', 'remove'],
  ['gdpr', 'dsgvo', 'privacy', 'erase', 'export'],
  ['player', 'user', 'end-user'],
  ['invite', 'invitation', 'member', 'teammate', 'colleague'],
  ['ban', 'block'],
  ['save', 'user-state', 'savegame', 'cloud-save'],
  ['configuration', 'public-state', 'remote-config', 'live-config'],
  ['login', 'sign-in', 'signin', 'sso'],
  ['logout', 'sign-out', 'signout'],
  ['register', 'sign-up', 'signup'],
  ['2fa', 'mfa', 'otp', 'second-factor', 'authenticator'],
  ['anonymous', 'guest'],
  ['cheat', 'cheating', 'cheater', 'hack', 'tamper', 'x-write'],
  ['offline', 'waiting', 'without-a-connection', 'disconnected'],
  ['localhost', 'loopback', '127.0.0.1'],
  ['webhook', 'callback', 'notify', 'notification'],
  ['rules', 'schema'],
  ['schedule', 'scheduled', 'scheduling', 'timer', 'cron', 'at-a-time'],
  ['rollout', 'fractional', 'percentage', 'canary', 'share'],
  ['permission', 'role', 'power'],
  ['websocket', 'sse', 'stream', 'realtime', 'subscribe'],
  ['deploy', 'install', 'docker', 'kubernetes'],
  ['throttle', 'rate-limit', '429'],
  ['billing', 'quota', 'usage'],
  ['diff', 'compare', 'difference'],
  ['publish', 'promote'],
  ['log', 'audit'],
  ['toggle', 'flag'],
  ['import', 'migrate', 'moving'],
];
/** Two words that mean one. */
const phrases: readonly (readonly [RegExp, string])[] = [
  [/\broll(?:ed|ing)? back\b/g, 'rollback'],
  [/\bsign(?:ed|ing)? in\b/g, 'sign-in'],
  [/\bsign(?:ed|ing)? up\b/g, 'sign-up'],
  [/\bsign(?:ed|ing)? out\b/g, 'sign-out'],
  [/\blog(?:ged|ging)? in\b/g, 'login'],
  [/\blog(?:ged|ging)? out\b/g, 'logout'],
  [/\btwo[ -]factor\b/g, '2fa'],
  [/\bcloud[ -]?saves?\b/g, 'cloud-save'],
  [/\bremote[ -]?config(?:uration|s)?\b/g, 'remote-config'],
  [/\blive config(?:uration|s)?\b/g, 'live-config'],
  [/\broll(?:ed|ing)?[ -]out\b/g, 'rollout'],
];
const synonymBoost = 0.5;

/** Returns the words to search for: each as typed, or a synonym. */
export function widened(typed: string): Query {
  const text = phrases.reduce((before, [phrase, word]) => before.replaceAll(phrase, word), typed.toLowerCase());
  const words = text.split(/\s+/).filter((word) => word !== '');
  return { combineWith: 'AND', queries: words.map((word) => oneOf(word)) };
}

function oneOf(word: string): Query {
  const singular = word.replace(/s$/, '');
  const others = new Set(synonyms.filter((set) => set.some((one) => one === word || one === singular)).flat());
  others.delete(word);
  if (others.size === 0) return word;
  // All parts of a hyphenated word must match.
  const whole = (one: string): Query => ({ combineWith: 'AND', queries: [one] });
  const lower: Query = { combineWith: 'OR', boostTerm: () => synonymBoost, queries: [...others].map(whole) };
  return { combineWith: 'OR', queries: [whole(word), lower] };
}

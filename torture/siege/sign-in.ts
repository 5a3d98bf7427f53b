/** Attacks on sign-in: the cost of hashing, lookups, and parsing. */

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectStatus } from '../../tooling/api.ts';
import { type FormClient, fillIn, type PageAnswer } from '../../tooling/forms.ts';
import { Counts } from '../../tooling/statistics.ts';
import { allowSignIn, authorizeQuery, openBrowser, password, signUp } from './browser.ts';
import { quick, type SiegeCase, type Target } from './case.ts';
import { complete, exchange, openConnections, statusCounts, wholeRequest } from './wire.ts';

const formBytesMax = 65_536;
/** Somebody else's sign-in takes no longer, and is not refused. */
const signInMillisecondsMax = 2_000;

/** Combining marks, each of which sorts before all previous ones. */
const disorderlyMarks = (bytes: number) => `a${'\u0301'.repeat(bytes / 4)}${'\u0316'.repeat(bytes / 4)}`;

export const signInCases: readonly SiegeCase[] = [
  quick(longField('an address of many @', 'email', (bytes) => `a${'@'.repeat(bytes - 3)} x`)),
  longField('an address of combining marks in the wrong order', 'email', disorderlyMarks),
  quick(longField('a password of combining marks in the wrong order', 'password', disorderlyMarks)),
  quick(signingIn('correct sign-ins from many addresses', password)),
  signingIn('wrong sign-ins from many addresses', `${password}!`),
  storm('sign-ups from many addresses', 2_000, 150, async (target) => {
    const browser = openBrowser(target);
    const page = await browser.get(`/authorize/sign-up?${new URLSearchParams(authorizeQuery(target))}`);
    return async () => {
      const email = `${randomBytes(6).toString('hex')}@siege.example`;
      return (await browser.send(page, '/authorize/sign-up', { email, password })).status;
    };
  }),
  storm('refreshes with tokens that nobody gave', 6_000, 600, async (target) => {
    const address = target.nextAddress();
    const form = () =>
      new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: `${target.accountId}.${target.slug}`,
        refresh_token: randomBytes(32).toString('base64url'),
      });
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    return async () => {
      const bytes = wholeRequest('POST', '/v1/auth/token', target.host, { headers, body: String(form()) });
      return (await exchange(target, address, bytes))?.status ?? 0;
    };
  }),
  storm('access tokens of 8 KB that nobody signed', 6_000, 600, async (target) => {
    const address = target.nextAddress();
    const path = `/v1/${target.accountId}`;
    const kid = await publishedKeyId(target);
    return async () => {
      const headers = { Authorization: `Bearer ${forgedToken(Math.random() < 0.5 ? kid : undefined)}` };
      return (await exchange(target, address, wholeRequest('GET', path, target.host, { headers })))?.status ?? 0;
    };
  }),
  {
    name: 'login pages asked for at one moment, from many addresses',
    isApart: true,
    async prepare(target) {
      expectStatus(await allowSignIn(target), 200);
      const count = target.sized(1_500, 300);
      const query = new URLSearchParams({ ...authorizeQuery(target), login_hint: '"><&'.repeat(1_000) });
      const headers = { 'Accept-Language': 'fr;q=0.1,'.repeat(150) };
      const request = wholeRequest('GET', `/authorize?${query}`, target.host, { headers });
      const held = await openConnections(target, count, { addressOf: target.nextAddress, bytes: request.subarray(0, -1) });
      await sleep(200);
      return async () => {
        const answers = await complete(held, request);
        held.close();
        return { sent: `${count} pages`, note: statusCounts(answers) };
      };
    },
  },
  storm('authorize pages with a query of 15 KB', 2_000, 300, async (target) => {
    const address = target.nextAddress();
    const query = new URLSearchParams({ ...authorizeQuery(target), login_hint: '"><&'.repeat(1_100) });
    const bytes = wholeRequest('GET', `/authorize?${query}`, target.host);
    return async () => (await exchange(target, address, bytes))?.status ?? 0;
  }),
];

/** The key id of real access tokens. */
async function publishedKeyId(target: Target): Promise<string> {
  const request = wholeRequest('GET', '/.well-known/jwks.json', target.host);
  const answer = await exchange(target, target.nextAddress(), request);
  const { keys } = JSON.parse(String(answer?.body)) as { keys: { kid: string }[] };
  return keys[0]?.kid ?? '';
}

/** A unique, well-formed token with a known or unknown key id and an invalid signature. */
function forgedToken(kid = randomBytes(12).toString('base64url')): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const header = { alg: 'ES256', typ: 'at+jwt', kid };
  return `${part(header)}.${part({ iss: 'x', padding: 'p'.repeat(5_500) })}.${randomBytes(64).toString('base64url')}`;
}

/** Sends each login form that has this field, with the largest value of one kind. */
function longField(name: string, field: 'email' | 'password', text: (bytes: number) => string): SiegeCase {
  return {
    name,
    isApart: true,
    async prepare(target) {
      expectStatus(await allowSignIn(target), 200);
      const paths = ['/authorize/sign-up', '/authorize/forgot', '/authorize/sign-in'];
      const query = new URLSearchParams(authorizeQuery(target));
      const browser = openBrowser(target);
      const pages = new Map<string, PageAnswer>();
      for (const path of paths) {
        pages.set(path, await browser.get(`${path === '/authorize/sign-in' ? '/authorize' : path}?${query}`));
      }
      return async () => {
        const statuses = [];
        for (const [path, page] of pages) {
          if (field === 'password' && path === '/authorize/forgot') continue;
          const fields = { email: 'a@siege.example', password, [field]: text(formBytesMax - 600) };
          statuses.push((await sendRaw(target, browser, page, path, fields)).status);
        }
        return { sent: `${statuses.length} forms of 64 KB`, note: statuses.join(', ') };
      };
    },
  };
}

/** Sends a form without percent signs, whose three bytes each would leave a third of the text. */
async function sendRaw(
  target: Target,
  browser: FormClient,
  page: { readonly text: string },
  path: string,
  fields: Readonly<Record<string, string>>,
) {
  const { action, held } = fillIn(page.text, path);
  const body = Object.entries({ ...held, ...fields })
    .map(([name, value]) => `${name}=${value.replaceAll(' ', '+')}`)
    .join('&');
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Cookie: cookie };
  const answer = await exchange(target, target.nextAddress(), wholeRequest('POST', action, target.host, { headers, body }));
  return { status: answer?.status ?? 0 };
}

/** Many addresses repeatedly sign in to one account, while somebody signs in to another. */
function signingIn(name: string, tried: string): SiegeCase {
  return {
    name,
    async prepare(target) {
      const elsewhere: Target = { ...target, ...target.other };
      const user = async (place: Target) => {
        expectStatus(await allowSignIn(place), 200);
        const email = `user-${target.nextAddress()}@siege.example`;
        await signUp(place, email);
        return email;
      };
      const [email, otherEmail] = [await user(target), await user(elsewhere)];
      const visit = async (place: Target) => {
        const browser = openBrowser(target);
        return { browser, page: await browser.get(`/authorize?${new URLSearchParams(authorizeQuery(place))}`) };
      };
      const addresses = target.sized(60, 24);
      const attackers = await Promise.all(Array.from({ length: addresses }, () => visit(target)));
      const somebody = await visit(elsewhere);
      return async () => {
        const statuses = new Counts<number>();
        const until = performance.now() + target.size.seconds * 1_000;
        const attack = async ({ browser, page }: (typeof attackers)[number]) => {
          while (performance.now() < until) {
            const { status } = await browser.send(page, '/authorize/sign-in', { email, password: tried });
            statuses.add(status);
          }
        };
        const attacking = Promise.all(attackers.map(attack));
        await sleep(100);
        const millisecondsMax = signInMillisecondsMax + target.size.tolerance.writeMilliseconds;
        const seen = await signInAgain(somebody, otherEmail, until, millisecondsMax);
        await attacking;
        return {
          sent: `from ${addresses} addresses: ${statuses}`,
          note: `somebody else: ${seen.note}`,
          faults: seen.faults,
        };
      };
    },
  };
}

async function signInAgain(
  { browser, page }: { readonly browser: FormClient; readonly page: PageAnswer },
  email: string,
  until: number,
  millisecondsMax: number,
) {
  let longest = 0;
  let tries = 0;
  const refused = new Set<number>();
  do {
    const startedAt = performance.now();
    const { status } = await browser.send(page, '/authorize/sign-in', { email, password });
    longest = Math.max(longest, performance.now() - startedAt);
    tries++;
    if (status !== 200) refused.add(status);
  } while (performance.now() < until);
  const faults = [
    ...(refused.size > 0 ? [`a correct sign-in of somebody else was answered ${[...refused].join(', ')}`] : []),
    ...(longest > millisecondsMax ? [`a sign-in of somebody else took ${Math.round(longest)} ms`] : []),
  ];
  return { note: `${tries} sign-ins, the longest ${Math.round(longest)} ms`, faults };
}

/** Sends this many requests from addresses that each stay below their limit. */
function storm(
  name: string,
  whole: number,
  small: number,
  visitor: (target: Target) => Promise<() => Promise<number>>,
): SiegeCase {
  return {
    name,
    async prepare(target) {
      expectStatus(await allowSignIn(target), 200);
      const count = target.sized(whole, small);
      const each = 100;
      const visitors = await Promise.all(
        Array.from({ length: Math.max(16, Math.ceil(count / each)) }, () => visitor(target)),
      );
      return async () => {
        let sent = 0;
        const statuses = new Counts<number>();
        const work = async (ask: () => Promise<number>) => {
          for (let asked = 0; asked < each && sent < count; asked++) {
            sent++;
            statuses.add(await ask());
          }
        };
        await Promise.all(visitors.map(work));
        return { sent: `${count} requests from ${visitors.length} addresses`, note: String(statuses) };
      };
    },
  };
}

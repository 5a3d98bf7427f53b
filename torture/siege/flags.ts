/** Attacks by rules of feature flags, from somebody who may write a document. */

import { setTimeout as sleep } from 'node:timers/promises';
import { type Environment, environments } from '@holdfast/contract';
import {
  type HostileFamily,
  hostileContext,
  hostileFamilies,
} from '../../packages/server/src/flags/hostile-rules.fixture.ts';
import { type Api, createApi, expectStatus, writesAfter } from '../../tooling/api.ts';
import type { ProjectPlace } from '../../tooling/credentials.ts';
import { type Credentials, createProject, publicStatePath } from '../../tooling/credentials.ts';
import { quantile } from '../../tooling/statistics.ts';
import { clock, quick, type SentInput, type SiegeCase, type Target } from './case.ts';

const onOff = { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'off' };

interface FlagsDocument extends ProjectPlace {
  readonly environment: Environment;
}

const statePath = (document: FlagsDocument) => publicStatePath(document, document.environment);
const flagsPath = (document: FlagsDocument) => `${statePath(document)}/ofrep/v1/evaluate/flags`;

async function writeFlags(api: Api, document: FlagsDocument, state: unknown): Promise<void> {
  expectStatus(await api.send('PUT', statePath(document), { headers: writesAfter(0), body: { state } }), 200);
}

const body = JSON.stringify({ context: { ...hostileContext, targetingKey: 'siege' } });

/** The fault of a rule that exceeds the budget of an evaluation, or the references that a flag may have. */
const beyondBounds = /take too long or too much memory|\$ref adds|nested too deeply/;

/** A family of rules, each requested alone and all of them together, twice, in a separate account. */
const hostileRules = ({ name, rules, evaluators }: HostileFamily): SiegeCase => ({
  name: `rules of flags: ${name}`,
  async prepare(target) {
    const account = await target.operator.newAccount('Rules');
    const api = createApi(account.baseUrl, `ApiKey ${account.apiKey}`);
    const document: FlagsDocument = { ...account, environment: 'production' };
    const flags = Object.fromEntries(Object.entries(rules).map(([key, targeting]) => [key, { ...onOff, targeting }]));
    await writeFlags(api, document, { flags, $evaluators: evaluators ?? {} });
    const paths = Object.keys(rules).map((key) => [key, `${flagsPath(document)}/${encodeURIComponent(key)}`] as const);
    return async () => {
      const faults: string[] = [];
      const inputs: SentInput[] = [];
      for (const [key, path] of [...paths, ['all', flagsPath(document)] as const, ...paths]) {
        const from = clock();
        const { status, text } = await api.send('POST', path, { body });
        inputs.push({ name: key, from, to: clock() });
        const isRefused = key === 'all' ? status === 200 : status === 400 && beyondBounds.test(text);
        if (!isRefused) faults.push(`${key} gave ${status}: ${text.slice(0, 100)}`);
      }
      api.close();
      return { sent: `${inputs.length} evaluations`, faults, inputs };
    };
  },
});

const documentCharacters = 243_000;
const projectsOfAccount = 4;
const victimKeys = 6;
/** How much longer a trivial flag may take than before the attack, in 99 % of cases. */
const delayMsMax = 20;

/** A document filled with rules, of which one flag is requested. */
function largeDocument(): unknown {
  const rule = {
    if: [
      { in: ['@studio.example', { var: 'email' }] },
      'on',
      {
        fractional: [
          ['on', 50],
          ['off', 50],
        ],
      },
    ],
  };
  const flag = { ...onOff, targeting: rule };
  const count = Math.floor(documentCharacters / (JSON.stringify(flag).length + 10));
  return { flags: Object.fromEntries(Array.from({ length: count }, (_, number) => [`flag-${number}`, flag])) };
}

/** Accounts that evaluate flags of more documents than are cached, in sequence. */
const rotation = (accounts: number): SiegeCase => ({
  name: `flags of large documents asked in rotation by ${accounts} accounts`,
  async prepare(target) {
    const large = largeDocument();
    const attackers: Awaited<ReturnType<typeof rotatingAccount>>[] = [];
    for (let number = 0; number < accounts; number++) attackers.push(await rotatingAccount(target, large));
    const ask = await victim(target);
    return async () => {
      const milliseconds = target.size.seconds * 1_000;
      const before = await waits(ask, milliseconds / 4);
      let isOver = false;
      const attacks = attackers.map((attack) => attack(() => isOver));
      const during = await waits(ask, milliseconds);
      isOver = true;
      const asked = (await Promise.all(attacks)).reduce((sum, count) => sum + count, 0);
      const [calm, attacked] = [quantile(before, 0.99), quantile(during, 0.99)];
      const note = `a trivial flag: 99 of 100 within ${calm.toFixed(1)} ms before, ${attacked.toFixed(1)} ms during; at most ${quantile(during, 1).toFixed(1)} ms`;
      const isDelayed = attacked - calm > delayMsMax + target.size.tolerance.waitMilliseconds;
      return { sent: `${asked} evaluations`, note, faults: isDelayed ? [note] : [] };
    };
  },
});

/** An account with as many large documents as allowed, and a function that evaluates their flags until stopped. */
async function rotatingAccount(target: Target, large: unknown): Promise<(isOver: () => boolean) => Promise<number>> {
  const account = await target.operator.newAccount('Rotation');
  const slugs = Array.from({ length: projectsOfAccount }, (_, number) => `rotation-${number}`);
  const keys = await Promise.all(slugs.map((slug) => createProject(account, slug)));
  const asks = await Promise.all(
    slugs.flatMap((slug, index) =>
      environments.map(async (environment) => {
        const document = { accountId: account.accountId, slug, environment };
        const api = createApi(account.baseUrl, `ApiKey ${keys[index]}`);
        await writeFlags(api, document, large);
        return () => api.send('POST', `${flagsPath(document)}/flag-7`, { body });
      }),
    ),
  );
  return async (isOver) => {
    let count = 0;
    while (!isOver()) await (asks[count++ % asks.length] as (typeof asks)[number])();
    return count;
  };
}

/** Evaluates a trivial flag of a separate account, with several keys, so that no limit is reached. */
async function victim(target: Target): Promise<() => Promise<number>> {
  const account: Credentials = await target.operator.newAccount('Trivial flag');
  const keys = await Promise.all(
    Array.from({ length: victimKeys }, (_, number) => createProject(account, `trivial-${number}`)),
  );
  const apis = keys.map((key) => createApi(account.baseUrl, `ApiKey ${key}`));
  const documents = keys.map(
    (_, number): FlagsDocument => ({ ...account, slug: `trivial-${number}`, environment: 'production' }),
  );
  const targeting = { if: [{ '==': [{ var: 'targetingKey' }, 'siege'] }, 'on', 'off'] };
  await Promise.all(
    apis.map((api, number) =>
      writeFlags(api, documents[number] as FlagsDocument, { flags: { a: { ...onOff, targeting } } }),
    ),
  );
  let asked = 0;
  return async () => {
    const number = asked++ % apis.length;
    const from = performance.now();
    const { text } = await (apis[number] as Api).send('POST', `${flagsPath(documents[number] as FlagsDocument)}/a`, {
      body,
    });
    if (!text.includes('"value":true')) throw new Error(`a trivial flag gave ${text}`);
    return performance.now() - from;
  };
}

const betweenMs = 15;

/** The time of each of many evaluations in sequence. */
async function waits(ask: () => Promise<number>, milliseconds: number): Promise<number[]> {
  const until = performance.now() + milliseconds;
  const all: number[] = [];
  while (performance.now() < until) {
    all.push(await ask());
    await sleep(betweenMs);
  }
  return all.sort((one, two) => one - two);
}

export const flagCases: readonly SiegeCase[] = [
  ...hostileFamilies.map((family, index) => (index === 0 ? quick(hostileRules(family)) : hostileRules(family))),
  quick(rotation(4)),
  rotation(8),
];

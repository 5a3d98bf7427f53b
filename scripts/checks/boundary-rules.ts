/** The import boundaries of the repository as data: which folder may import what. */
import { dirname } from 'node:path';
import type { Import } from './imports.ts';

const server = 'packages/server/src';
const consoleSource = 'packages/console/src';
const domains = [
  'access',
  'flags',
  'identity',
  'limits',
  'management',
  'oauth',
  'players',
  'proposals',
  'secrets',
  'state',
  'usage',
  'webhooks',
];

/** What a request's credential proved: a type for all domain folders. */
const principal = `${server}/access/principal.ts`;

/** Rules that several domain folders apply. Each file stands in the folder that decides, and depends on nothing else of any. */
const sharedRules = [
  'access/finished-upgrade.ts',
  'access/recent-sign-in.ts',
  'limits/deferred-count.ts',
  'limits/quota-refusal.ts',
  'state/shorten-histories.ts',
].map((path) => `${server}/${path}`);

/** What rooms know of requests to other machines: the type of `fetch`, and addresses. The requests themselves come from the wiring. */
const outboundTypes = ['fetch.ts', 'public-address.ts'].map((name) => `${server}/outbound/${name}`);

/** Parameters and results of handlers. */
const handlerTypes = ['operation-request.ts', 'replies/caching.ts', 'replies/reply.ts'].map(
  (name) => `${server}/http/${name}`,
);

const isIn = (path: string, ...folders: readonly string[]) => folders.some((folder) => path.startsWith(`${folder}/`));
const serverFolder = (path: string, names: readonly string[]) => names.find((name) => isIn(path, `${server}/${name}`));
/** The engine whose folder contains a file, such as `sqlite`. */
const engineOf = (path: string) => /^packages\/server\/src\/storage\/(sqlite|postgres)\//.exec(path)?.[1];
/** JSON Schema: it checks values and depends on nothing else of the service. */
const isSchemas = (path: string) => isIn(path, `${server}/schemas`);
/** Compilers of tenants' schemas, which are slow, and their permitted importers, which run on threads. */
const compilers = [
  ...['compile', 'compile-state-schema', 'new-schema', 'pattern-source'].map((name) => `${server}/schemas/${name}.ts`),
  `${server}/state/evaluation/validation-request.ts`,
];
const compilerUsers = ['evaluation/validation-request', 'evaluation/evaluation-worker'].map(
  (name) => `${server}/state/${name}.ts`,
);
/** Small modules for all folders, which know none of them. */
const isCommon = (path: string) => isIn(path, `${server}/common`);
/** The verbs that are written once for both engines. */
const sharedVerbs = `${server}/storage/sql/verbs.ts`;
/** The interface of the store as a whole, which follows from its verbs. */
const wholeStore = `${server}/storage/store.ts`;
/** That, its parts, and the caches that forget what it reports as changed. */
const isStorageContract = (path: string) =>
  path === wholeStore || isIn(path, `${server}/storage/contract`, `${server}/storage/caches`);
/** Shared by both engines: rows, tables and common verbs, the storage of versions, and copies. */
const isOfEngines = (path: string) =>
  isIn(path, ...['rows', 'sql', 'history', 'transfer'].map((name) => `${server}/storage/${name}`));
/** Modules of `common` about requests, which refuse them: the store knows neither. */
const isOfRequests = (path: string) => isIn(path, `${server}/common/requests`, `${server}/common/threads`);
/** Modules of `common` that read the program's own files. */
const isOfProgram = (path: string) => isIn(path, `${server}/common/program`);
/** All others are for the store too. */
const isStorageHelper = (path: string) => isCommon(path) && !isOfRequests(path) && !isOfProgram(path);
/** Rules of access about plain values, some with their form in SQL. They know those helpers only, so every room may apply them, storage too. */
const isAccessRule = (path: string) => isIn(path, `${server}/access/rules`);
/** The folder of the console that contains a file, also in a folder of its own; undefined elsewhere. */
export const consoleFolderOf = (path: string) => /^packages\/console\/src(?:\/[^/]+(?=\/))?/.exec(path)?.[0];
const packageOf = (path: string) => /^packages\/([^/]+)\//.exec(path)?.[1];
const isPackage = (target: string, name: string) => target === name || target.startsWith(`${name}/`);
const isNode = (target: string) => target.startsWith('node:');

/** Packages that an engine may use: its driver, and its in-memory cache. */
const enginePackages: Readonly<Record<string, readonly string[]>> = {
  postgres: ['postgres', 'lru-cache'],
  sqlite: ['lru-cache'],
};

/** Each rule has an explanation, and a function that says whether an import breaks it. */
export const rules = {
  'contract-is-pure': {
    meaning: 'packages/contract imports nothing but typebox',
    breaks: ({ file, target, isLocal }) =>
      packageOf(file) === 'contract' && (isLocal ? packageOf(target) !== 'contract' : !isPackage(target, 'typebox')),
  },
  'json-is-pure': {
    meaning: 'packages/json imports nothing but itself, so that it runs in a browser',
    breaks: ({ file, target, isLocal }) => packageOf(file) === 'json' && !(isLocal && packageOf(target) === 'json'),
  },
  'client-runs-everywhere': {
    meaning:
      'packages/client/src imports json, its parser of event streams, React, and in flags.ts OpenFeature; below node only, modules of Node',
    breaks: ({ file, target, isLocal }) =>
      isIn(file, 'packages/client/src') &&
      !isLocal &&
      !['@holdfast/json', 'eventsource-parser', 'react'].includes(target) &&
      !(target === '@openfeature/web-sdk' && file === 'packages/client/src/flags.ts') &&
      !(isNode(target) && (file === 'packages/client/src/node.ts' || isIn(file, 'packages/client/src/node'))),
  },
  'packages-meet-by-name': {
    meaning: 'a package imports another one by its name, never by path',
    breaks: ({ file, target, isLocal }) => isLocal && isIn(file, 'packages') && packageOf(file) !== packageOf(target),
  },
  'storage-contract-is-pure': {
    meaning:
      'the interface of the store and its caches import the wire contract, themselves, their helpers in common, the edits of texts, and lru-cache only; store.ts alone also the shared verbs',
    breaks: ({ file, target, isLocal }) =>
      isStorageContract(file) &&
      (isLocal
        ? !isStorageContract(target) && !isStorageHelper(target) && !(file === wholeStore && target === sharedVerbs)
        : !['@holdfast/contract', '@holdfast/json', 'lru-cache'].includes(target)),
  },
  'storage-has-rooms': {
    meaning: 'storage/ itself has store.ts only; every other file is in one of its folders',
    breaks: ({ file }) => dirname(file) === dirname(wholeStore) && file !== wholeStore,
  },
  'engines-share-no-driver': {
    meaning:
      'what the engines share imports itself, both contracts, its helpers in common, the rules of access, the edits of texts and modules of Node only',
    breaks: ({ file, target, isLocal }) =>
      isOfEngines(file) &&
      (isLocal
        ? !isOfEngines(target) && !isStorageContract(target) && !isStorageHelper(target) && !isAccessRule(target)
        : !isNode(target) && !['@holdfast/contract', '@holdfast/json'].includes(target)),
  },
  'engine-knows-its-driver-only': {
    meaning:
      'an engine imports the storage contract, the wire contract, its helpers in common, the rules of access, the files of the program and the packages of its driver only',
    breaks: ({ file, target, isLocal }) => {
      const engine = engineOf(file);
      if (engine === undefined) return false;
      if (isLocal) {
        const isShared = isStorageContract(target) || isOfEngines(target) || isStorageHelper(target);
        return engineOf(target) !== engine && !isShared && !isOfProgram(target) && !isAccessRule(target);
      }
      return !isNode(target) && target !== '@holdfast/contract' && !enginePackages[engine]?.includes(target);
    },
  },
  'engines-are-wired-in-one-place': {
    meaning: 'only wiring/engine.ts and the command open an engine',
    breaks: ({ file, target }) =>
      engineOf(target) !== undefined &&
      engineOf(file) === undefined &&
      file !== `${server}/wiring/engine.ts` &&
      !isIn(file, `${server}/cli`),
  },
  'domain-knows-no-transport': {
    meaning:
      'a domain folder imports common, schemas, storage types, the type of fetch, addresses and itself, and of other domains the type Principal, the rules of access and shared rules only; proposals imports state too',
    breaks: ({ file, target, isLocal }) => {
      const domain = serverFolder(file, domains);
      if (domain === undefined || !isLocal || packageOf(target) !== 'server') return false;
      if (domain === 'proposals' && serverFolder(target, ['state']) !== undefined) return false;
      if (serverFolder(target, [domain]) !== undefined || isCommon(target) || isSchemas(target)) return false;
      if (isAccessRule(target)) return false;
      return !isStorageContract(target) && ![principal, ...outboundTypes, ...sharedRules].includes(target);
    },
  },
  'shared-rules-depend-on-nobody': {
    meaning: 'a rule that several domain folders apply imports common, storage types and the wire contract only',
    breaks: ({ file, target, isLocal }) =>
      sharedRules.includes(file) && isLocal && !isCommon(target) && !isStorageContract(target),
  },
  'access-rules-know-nobody': {
    meaning: 'a rule of access imports its kind, the helpers of storage in common and the wire contract only',
    breaks: ({ file, target, isLocal }) =>
      isAccessRule(file) &&
      (isLocal ? !isAccessRule(target) && !isStorageHelper(target) : !isPackage(target, '@holdfast/contract')),
  },
  'login-knows-handlers-only': {
    meaning:
      'of other folders, login imports common, storage types, the rules of access, shared rules, identity, oauth, and of http what handlers take and return',
    breaks: ({ file, target, isLocal }) => {
      if (!isIn(file, `${server}/login`) || !isLocal || packageOf(target) !== 'server') return false;
      if (isIn(target, ...['login', 'identity', 'oauth'].map((name) => `${server}/${name}`))) return false;
      if (isCommon(target) || isStorageContract(target) || isAccessRule(target)) return false;
      return ![...handlerTypes, ...sharedRules].includes(target);
    },
  },
  'outbound-knows-no-user': {
    meaning: 'outbound imports common and itself only',
    breaks: ({ file, target, isLocal }) =>
      isIn(file, `${server}/outbound`) && isLocal && !isIn(target, `${server}/outbound`) && !isCommon(target),
  },
  'common-knows-nobody': {
    meaning: 'common imports nothing of ours but the wire contract and itself',
    breaks: ({ file, target, isLocal }) => isCommon(file) && isLocal && !isCommon(target),
  },
  'helpers-refuse-nothing': {
    meaning: 'of common, only requests and threads import common/requests and common/threads',
    breaks: ({ file, target }) => isCommon(file) && !isOfRequests(file) && isOfRequests(target),
  },
  'schemas-is-pure': {
    meaning: 'schemas imports itself, exact JSON, its messages and its regular expressions only',
    breaks: ({ file, target, isLocal }) =>
      isSchemas(file) &&
      (isLocal ? !isSchemas(target) : !['@holdfast/contract/messages', '@holdfast/json', 're2js'].includes(target)),
  },
  'main-thread-compiles-nothing': {
    meaning: 'what compiles schemas is imported by threads and by commands only',
    breaks: ({ file, target, isTypeOnly }) =>
      compilers.includes(target) &&
      !isTypeOnly &&
      !isSchemas(file) &&
      !compilerUsers.includes(file) &&
      !isIn(file, `${server}/cli`, consoleSource),
  },
  'evaluation-knows-no-checks': {
    meaning: 'state/evaluation, which runs on threads too, imports nothing of state/validation',
    breaks: ({ file, target }) => isIn(file, `${server}/state/evaluation`) && isIn(target, `${server}/state/validation`),
  },
  'domain-opens-no-socket': {
    meaning: 'a domain folder does not speak HTTP or SQL by itself',
    breaks: ({ file, target }) =>
      serverFolder(file, domains) !== undefined && ['node:http', 'node:http2', 'node:sqlite', 'postgres'].includes(target),
  },
  'principal-is-a-type': {
    meaning: 'access/principal.ts is imported for its types only',
    breaks: ({ target, isTypeOnly }) => target === principal && !isTypeOnly,
  },
  'nobody-imports-the-top': {
    meaning: 'only the command imports main.ts and cli/',
    breaks: ({ file, target }) =>
      !isIn(file, `${server}/cli`) && (target === `${server}/main.ts` || isIn(target, `${server}/cli`)),
  },
  'settings-come-from-main': {
    meaning: 'below main.ts and the command, config/ is imported for its types only',
    breaks: ({ file, target, isTypeOnly }) =>
      isIn(target, `${server}/config`) &&
      !isTypeOnly &&
      file !== `${server}/main.ts` &&
      !isIn(file, `${server}/config`, `${server}/cli`),
  },
  'pages-know-no-router': {
    meaning: 'only the start of the console imports its router; pages are listed there',
    breaks: ({ file, target }) => target === `${consoleSource}/router.tsx` && file !== `${consoleSource}/app.tsx`,
  },
} as const satisfies Record<string, { meaning: string; breaks: (one: Import) => boolean }>;

/** What each folder of tools may import besides itself and packages. Pictures show the worlds of the tests. */
const toolImports: Readonly<Record<string, readonly string[]>> = {
  bench: ['tooling'],
  torture: ['tooling'],
  scripts: ['tooling', 'test'],
  tooling: [],
};

/** Whether the import of a tool crosses their boundary. */
export function leavesTooling({ file, target, isLocal }: Import): boolean {
  const [folder = ''] = file.split('/');
  return isLocal && !isIn(target, 'packages', folder, ...(toolImports[folder] ?? []));
}

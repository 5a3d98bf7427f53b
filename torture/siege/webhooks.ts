/** Receivers of webhooks that are slow, dead or hostile, and a tenant with floods of events. Others' events must arrive meanwhile. */
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, createApi, expectStatus, writesAfter } from '../../tooling/api.ts';
import { createProject, type ProjectPlace, projectPath, publicStatePath } from '../../tooling/credentials.ts';
import { clock, quick, type SiegeCase, type Target } from './case.ts';
import { inwardName } from './own-names.ts';

/** The most webhooks of a project. */
const ofProject = 10;
const testsOfEach = 8;
/** A try may wait for a look of the sender, and on a busy machine. */
const deliveryMillisecondsMax = 3_000;
/** How often somebody else's event is measured in a second. */
const othersPerSecond = 4;

const listening = async <One extends Server>(server: One): Promise<One> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
};
const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** A receiver for which somebody else's events are measured. */
interface Other {
  /** Sends an event, and returns the milliseconds until it has arrived; Infinity if it has not in time. */
  measure(): Promise<number>;
  close(): void;
}

async function openOther({ other }: Target): Promise<Other> {
  let arrived = Promise.withResolvers<void>();
  const receiver = await listening(createHttpServer((_request, response) => void response.end(() => arrived.resolve())));
  const api = createApi(other.baseUrl, `Bearer ${other.developerToken}`);
  const path = `${projectPath(other)}/webhooks`;
  const body = { url: `http://127.0.0.1:${portOf(receiver)}/`, events: ['schema.changed'] };
  const { id } = JSON.parse(expectStatus(await api.send('POST', path, { body }), 201).text) as { id: string };
  return {
    async measure() {
      arrived = Promise.withResolvers();
      const sentAt = clock();
      expectStatus(await api.send('POST', `${path}/${id}/test`), 202);
      const late = sleep(2 * deliveryMillisecondsMax).then(() => Number.POSITIVE_INFINITY);
      return Promise.race([arrived.promise.then(() => clock() - sentAt), late]);
    },
    close() {
      void api.send('DELETE', `${path}/${id}`).finally(api.close);
      receiver.closeAllConnections();
      receiver.close();
    },
  };
}

/** Measures events of somebody else for as long as an attack lasts. */
async function besideOthers(target: Target, other: Other, sent: string, attack: () => Promise<unknown>) {
  const attacking = attack();
  const waits: number[] = [];
  const until = clock() + target.size.seconds * 1_000;
  do {
    waits.push(await other.measure());
    await sleep(1_000 / othersPerSecond);
  } while (clock() < until);
  await attacking;
  const longest = Math.round(Math.max(...waits));
  const note = `events of others arrived within ${longest} ms`;
  return { sent, note, faults: longest > deliveryMillisecondsMax ? [`an event of somebody else took ${longest} ms`] : [] };
}

/** A tenant with many webhooks. */
interface Tenant {
  readonly api: Api;
  readonly places: readonly ProjectPlace[];
  /** Of the webhooks. */
  readonly paths: readonly string[];
  close(): Promise<void>;
}

/** Creates webhooks to URLs, in new projects of a new account, which may reach these networks. */
async function openTenant(target: Target, urlOf: (index: number) => string, networks?: string): Promise<Tenant> {
  const credentials = await target.operator.newAccount('Webhooks');
  const { accountId, baseUrl, developerToken } = credentials;
  if (networks !== undefined) await target.operator.openNetworks(accountId, [networks]);
  const api = createApi(baseUrl, `Bearer ${developerToken}`);
  const places = Array.from({ length: target.sized(4, 2) }, (_, index) => ({ accountId, slug: `hooks-${index}` }));
  const paths: string[] = [];
  for (const place of places) {
    await createProject(credentials, place.slug);
    for (let number = 0; number < ofProject; number++) {
      const body = { url: urlOf(paths.length), events: ['public_state.changed'], environments: ['production'] };
      const { text } = expectStatus(await api.send('POST', `${projectPath(place)}/webhooks`, { body }), 201);
      paths.push(`${projectPath(place)}/webhooks/${(JSON.parse(text) as { id: string }).id}`);
    }
  }
  const close = async () => {
    for (const path of paths) await api.send('DELETE', path);
    api.close();
  };
  return { api, places, paths, close };
}

interface Hostile {
  readonly name: string;
  readonly scheme?: 'http' | 'https';
  /** What receivers do with each connection. */
  readonly onConnection: (socket: Socket) => void;
}

const reply = (head: string) => `HTTP/1.1 ${head}\r\n`;

/** Sends the head of a reply, and then a piece again and again. */
const endless = (head: string, piece: string) => {
  const bytes = Buffer.from(piece);
  return (socket: Socket): void => {
    const more = () => {
      while (!socket.destroyed && socket.write(bytes));
    };
    socket.resume().on('drain', more).write(head);
    more();
  };
};

const hostile: readonly Hostile[] = [
  { name: 'never read', onConnection: (socket) => void socket.pause() },
  { name: 'hang up', onConnection: (socket) => void socket.destroy() },
  {
    name: 'reply a byte a second',
    onConnection(socket) {
      const text = reply('200 OK');
      let sent = 0;
      const timer = setInterval(() => socket.write(text[sent++ % text.length] as string), 1_000);
      socket.resume().on('close', () => clearInterval(timer));
    },
  },
  { name: 'reply without end', onConnection: endless(`${reply('200 OK')}\r\n`, 'x'.repeat(2 ** 18)) },
  {
    name: 'reply in bytes',
    onConnection: endless(`${reply('200 OK')}Transfer-Encoding: chunked\r\n\r\n`, '1\r\nx\r\n'.repeat(2 ** 15)),
  },
  { name: 'reply with headers without end', onConnection: endless(reply('200 OK'), `x: ${'y'.repeat(2 ** 14)}\r\n`) },
  { name: 'promise a reply without end', onConnection: endless('', `${reply('103 Early Hints')}\r\n`.repeat(2 ** 13)) },
  { name: 'speak no TLS', scheme: 'https', onConnection: (socket) => void socket.resume().write(reply('200 OK')) },
];

const hostileCase = ({ name, scheme = 'http', onConnection }: Hostile): SiegeCase =>
  quick({
    name: `webhooks to receivers that ${name}`,
    async prepare(target) {
      const receivers = await Promise.all(
        Array.from({ length: ofProject }, () =>
          listening(createServer((socket) => onConnection(socket.on('error', () => undefined)))),
        ),
      );
      const sockets = new Set<Socket>();
      for (const receiver of receivers) receiver.on('connection', (socket: Socket) => sockets.add(socket));
      const urlOf = (index: number) => `${scheme}://127.0.0.1:${portOf(receivers[index % ofProject] as Server)}/`;
      const { api, paths, close } = await openTenant(target, urlOf, scheme === 'https' ? '127.0.0.0/8' : undefined);
      const other = await openOther(target);
      return async () => {
        const sent = `${paths.length * testsOfEach} events to ${ofProject} receivers`;
        const finding = await besideOthers(target, other, sent, async () => {
          for (let n = 0; n < testsOfEach; n++) await Promise.all(paths.map((path) => api.send('POST', `${path}/test`)));
        });
        other.close();
        await close();
        for (const receiver of receivers) receiver.close();
        for (const socket of sockets) socket.destroy();
        return finding;
      };
    },
  });

/** Writes documents of many webhooks as fast as one developer can. Returns the number of writes. */
async function flood({ api, places }: Tenant, seconds: number): Promise<number> {
  const until = clock() + seconds * 1_000;
  let writes = 0;
  await Promise.all(
    places.map(async (place) => {
      const path = publicStatePath(place, 'production');
      for (let version = 0; clock() < until; version++, writes++) {
        const { status } = await api.send('PUT', path, { headers: writesAfter(version), body: { state: { version } } });
        if (status !== 200) return;
      }
    }),
  );
  return writes;
}

const inwardHosts = [inwardName, '127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '[64:ff9b::7f00:1]', 'localhost', '0.0.0.0'];

export const webhookCases: readonly SiegeCase[] = [
  ...hostile.map(hostileCase),
  quick({
    name: 'webhooks to addresses of this machine',
    async prepare(target) {
      let connections = 0;
      const canary = await listening(
        createServer((socket) => {
          connections += 1;
          socket.destroy();
        }),
      );
      const port = portOf(canary);
      const urlOf = (index: number) => `https://${inwardHosts[index % inwardHosts.length]}:${port}/`;
      const { api, paths, close } = await openTenant(target, urlOf);
      const other = await openOther(target);
      return async () => {
        const finding = await besideOthers(target, other, `https: to ${inwardHosts.join(', ')}`, () =>
          Promise.all(paths.map((path) => api.send('POST', `${path}/test`))),
        );
        other.close();
        await close();
        canary.close();
        const reached =
          connections > 0 ? [`the server connected ${connections} times to port ${port} of this machine`] : [];
        return { ...finding, faults: [...finding.faults, ...reached] };
      };
    },
  }),
  quick({
    name: 'a flood of events to many webhooks of one account',
    async prepare(target) {
      const receiver = await listening(createHttpServer((_request, response) => void response.end()));
      const tenant = await openTenant(target, () => `http://127.0.0.1:${portOf(receiver)}/`);
      const other = await openOther(target);
      return async () => {
        let writes = 0;
        const finding = await besideOthers(target, other, '', async () => {
          writes = await flood(tenant, target.size.seconds);
        });
        other.close();
        await tenant.close();
        receiver.closeAllConnections();
        receiver.close();
        return { ...finding, sent: `${writes} writes, each to ${ofProject} webhooks` };
      };
    },
  }),
];

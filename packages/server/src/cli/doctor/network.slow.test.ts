/** `holdfast doctor --network` with real servers for mail, issuers, and the base URL with its certificate. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { SMTPServerOptions } from 'smtp-server';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type LoopbackIssuer, newIssuerKey, startLoopbackIssuer } from '../../../../../tooling/loopback-issuer.ts';
import { startUnhindered } from '../../../../../tooling/readings.ts';
import { freePort } from '../../free-port.fixture.ts';
import { openSqliteStore } from '../../storage/sqlite/store.ts';
import { anAccount, byOperator } from '../../storage/store-suite/records.fixture.ts';
import { type CommandSandbox, createCommandSandbox } from '../command.fixture.ts';
import type { Answer } from './findings.ts';
import { type Authority, createAuthority, type Listening, startProxy, startSmtp } from './network.fixture.ts';

let place: CommandSandbox;
/** Stopped after each test. */
const running: { stop(): Promise<unknown> }[] = [];
beforeAll(async () => {
  place = await createCommandSandbox();
  await place.run(['account', 'create', '--name', 'Acme']);
});
afterEach(async () => {
  for (const each of running.splice(0)) await each.stop();
});
afterAll(() => place.remove());

const started = <Each extends { stop(): Promise<unknown> }>(each: Each): Each => {
  running.push(each);
  return each;
};

/** Returns the responses of all servers, by default without the base URL. */
async function ask(environment: Readonly<Record<string, string>>, wanted: readonly Answer['check'][]) {
  const elapsed = startUnhindered('self');
  const { code, stdout, stderr } = await place.run(['doctor', '--quick', '--network', '--json'], environment);
  expect(stderr).toBe('');
  expect(stdout).not.toContain('hunter2');
  const { network, findings } = JSON.parse(stdout) as { network: Answer[]; findings: { area: string; finding: string }[] };
  const bad = network.filter(({ level }) => level !== null);
  for (const { advice } of bad) expect(advice).not.toBe('');
  expect(findings.filter(({ area }) => area === 'network').map(({ finding }) => finding)).toEqual(
    bad.map(({ asked, answer }) => `${asked} ${answer}`),
  );
  const lines = network
    .filter(({ check }) => wanted.includes(check))
    .map(({ asked, answer, level }) => `${level ?? 'good'}: ${asked} ${answer}`);
  return { code, lines, milliseconds: elapsed() };
}

/** Accepts connections, then sends nothing, or never finishes. */
async function startEndless(greeting: string, line: string): Promise<Listening> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.write(greeting);
    socket.once('data', () => {
      const timer = setInterval(() => socket.write(line), 200);
      socket.once('close', () => clearInterval(timer));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

describe('without --network', () => {
  it('no connection is opened', async () => {
    let connections = 0;
    const onConnect: SMTPServerOptions['onConnect'] = (_, done) => {
      connections += 1;
      done(null);
    };
    const smtp = started(await startSmtp({ onConnect }));
    const issuer = started(await startLoopbackIssuer([]));
    const settings = {
      SVC_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      SVC_IDP_ISSUER: issuer.issuer,
      SVC_IDP_AUDIENCE: 'a',
    };
    const { stdout } = await place.run(['doctor', '--quick', '--json'], settings);
    expect(JSON.parse(stdout)).toMatchObject({ network: null });
    expect([connections, issuer.asked]).toEqual([0, { discovery: 0, jwks: 0 }]);
  });
});

describe('the mail server', () => {
  const at = (port: number, user = '') => ({ SVC_SMTP_URL: `smtp://${user}127.0.0.1:${port}` });
  const mail = (environment: Readonly<Record<string, string>>) => ask(environment, ['mail']);

  it('accepts the start of a mail, but is sent none', async () => {
    const seen: string[] = [];
    const smtp = started(
      await startSmtp({
        authOptional: false,
        allowInsecureAuth: true,
        onAuth({ username, password }, _, done) {
          seen.push(`${username} ${password}`);
          done(null, { user: 1 });
        },
        onMailFrom(_, __, done) {
          seen.push('mail');
          done(null);
        },
      }),
    );
    const { lines } = await mail(at(smtp.port, 'user:hunter2@'));
    expect(lines).toEqual([`good: the mail server smtp://127.0.0.1:${smtp.port} takes mails`]);
    expect(seen).toEqual(['user hunter2']);
    const { stdout } = await place.run(['doctor', '--quick', '--network'], at(smtp.port));
    expect(stdout).toMatch(/^Network {6}the mail server smtp:\S+ takes mails$/m);
  });

  it('is reported if nobody listens at its port', async () => {
    const { code, lines } = await mail(at(1));
    expect([code, lines]).toEqual([1, ['error: the mail server smtp://127.0.0.1:1 takes no connection (ECONNREFUSED)']]);
  });

  it('is reported without quoting its answer if it refuses the password', async () => {
    const onAuth = (_: unknown, __: unknown, done: (error: Error) => void) => done(new Error('not hunter2, user'));
    const smtp = started(await startSmtp({ authOptional: false, allowInsecureAuth: true, onAuth }));
    const { code, lines } = await mail(at(smtp.port, 'user:hunter2@'));
    expect([code, lines]).toEqual([
      1,
      [expect.stringMatching(/^error: the mail server \S+ refuses the user name or the password \(EAUTH 535\)$/)],
    ]);
  });

  it('is reported if nobody trusts its certificate', async () => {
    const own = started(await startSmtp({ secure: true, disabledCommands: [] }));
    const { lines } = await mail({ SVC_SMTP_URL: `smtps://localhost:${own.port}` });
    expect(lines).toEqual([expect.stringMatching(/^error: the mail server \S+ has a certificate that is not trusted \(/)]);
  });

  it.each([
    ['sends nothing', '', ''],
    ['never ends its response', '220 hello\r\n', '250-one more\r\n'],
  ])('that %s is abandoned after five seconds', async (_, greeting, line) => {
    const endless = started(await startEndless(greeting, line));
    const { lines, milliseconds } = await mail(at(endless.port));
    expect(lines).toEqual([expect.stringMatching(/does not answer within 5 s \(ETIMEDOUT\)$/)]);
    expect(milliseconds).toBeLessThan(20_000);
  });
});

describe('the outside issuer', () => {
  const issuerAt = (issuer: string) => ask({ SVC_IDP_ISSUER: issuer, SVC_IDP_AUDIENCE: 'a' }, ['issuer', 'provider']);
  let issuer: LoopbackIssuer;
  const start = async () => {
    issuer = started(await startLoopbackIssuer([(await newIssuerKey('RS256', 'k')).publicJwk]));
    return issuer;
  };

  it('is in order if it answers', async () => {
    await start();
    expect(await issuerAt(issuer.issuer)).toMatchObject({
      lines: [`good: the issuer ${issuer.issuer} answers with one key`],
    });
  });

  it.each<[string, () => void, RegExp]>([
    ['names a different issuer', () => (issuer.metadata = { issuer: 'https://other.example' }), /of another issuer than/],
    ['has no key', () => void issuer.keys.splice(0), /publishes no keys$/],
    ['names a missing key set', () => (issuer.disturb = keysAreGone), /\/jwks: status 404/],
  ])('that %s is reported', async (_, change, expected) => {
    await start();
    change();
    const { code, lines } = await issuerAt(issuer.issuer);
    expect([code, lines]).toEqual([1, [expect.stringMatching(expected)]]);
  });
  const keysAreGone: LoopbackIssuer['disturb'] = (path, response) => {
    if (path !== '/jwks') return false;
    response.writeHead(404).end();
    return true;
  };

  it('is reported if it does not exist', async () => {
    const { code, lines } = await issuerAt(`http://127.0.0.1:${await freePort()}`);
    expect([code, lines]).toEqual([1, [expect.stringMatching(/^error: the issuer \S+ cannot be used: .*ECONNREFUSED/)]]);
  });
});

describe('the identity providers of accounts', () => {
  it('are asked once for each issuer, within the addresses open to the service', async () => {
    const issuer = started(await startLoopbackIssuer([(await newIssuerKey('RS256', 'k')).publicJwk]));
    const store = await openSqliteStore({ dataDir: place.dataDir });
    await store.createAccount(anAccount({ accountId: 'acc_9', name: 'a', idpTenantId: 't9', createdAt: 1 }));
    const settings = { clientId: 'c', name: 'N', tenant: null, teamId: null, keyId: null };
    for (const [id, at] of [
      ['oidc.a', issuer.issuer],
      ['oidc.b', issuer.issuer],
      ['oidc.c', `https://127.0.0.1:${await freePort()}`],
    ] as const) {
      const provider = { accountId: 'acc_9', providerId: id, settings: { ...settings, issuer: at } };
      await store.writeIdentityProvider(byOperator, { ...provider, sealedSecret: null, writtenAt: 1 }, 10);
    }
    await store.close();
    const asked = (environment: Record<string, string>) => ask(environment, ['provider']);
    expect((await asked({})).lines).toEqual([
      expect.stringMatching(
        /^warning: .*\(acc_9\/oidc\.a and 1 more\) cannot be used: only requests to HTTPS are allowed$/,
      ),
      expect.stringMatching(/^warning: .*\(acc_9\/oidc\.c\) cannot be used: \S+ is not an address that may be requested$/),
    ]);
    expect(issuer.asked.discovery).toBe(0);
    const { code, lines } = await asked({ SVC_IDP_PRIVATE_ADDRESSES: 'allowed' });
    expect(lines).toEqual([
      `good: the identity provider ${issuer.issuer} (acc_9/oidc.a and 1 more) answers with one key`,
      expect.stringMatching(/^warning: .*\(acc_9\/oidc\.c\) cannot be used: cannot reach 127.0.0.1: connect ECONNREFUSED/),
    ]);
    expect([code, issuer.asked]).toEqual([3, { discovery: 1, jwks: 1 }]);
    issuer.metadata = { issuer: 'https://other.example' };
    expect((await asked({ SVC_IDP_PRIVATE_ADDRESSES: 'allowed' })).lines[0]).toMatch(/its metadata names another issuer$/);
  });
});

describe('the base URL', () => {
  let authority: Authority;
  beforeAll(async () => {
    authority = await createAuthority(place.folder);
  });
  const at = (url: string) => ask({ SVC_BASE_URL: url, NODE_EXTRA_CA_CERTS: authority.file }, ['certificate', 'base_url']);

  it('of a stopped service leads nowhere, which is a note', async () => {
    const port = await freePort();
    expect((await at(`http://127.0.0.1:${port}`)).lines).toEqual([expect.stringMatching(/^note: .*ECONNREFUSED/)]);
    expect(await at(`https://127.0.0.1:${port}`)).toMatchObject({
      code: 1,
      lines: [expect.stringMatching(/^error: the certificate of \S+ cannot be read: .*ECONNREFUSED/)],
    });
  });

  it('leads to this service or another one, with the last day of its certificate', async () => {
    const port = Number(place.environment.SVC_PORT);
    const proxy = started(await startProxy(await authority.issue(90), port));
    const url = `https://localhost:${proxy.port}`;
    const service = started(await place.serve({ SVC_BASE_URL: url }));
    const valid = expect.stringMatching(/^good: the certificate of \S+ is trusted, and valid until 20\S+ \(89 days\)$/);
    expect(await at(url)).toMatchObject({ lines: [valid, `good: the address ${url} leads to this service`] });
    // Reached under another name, which differs from that in the tokens.
    expect(await at(`http://127.0.0.1:${port}`)).toMatchObject({
      lines: [expect.stringMatching(/^error: .* leads to this service, which has another base URL$/)],
    });
    const soon = started(await startProxy(await authority.issue(6), port));
    expect((await at(`https://localhost:${soon.port}`)).lines[0]).toMatch(/^warning: .* is trusted, and .* \(5 days\)$/);
    await service.stop();
    const other = started(await place.serve({ SVC_DATA_DIR: join(place.folder, 'other'), SVC_BASE_URL: url }));
    expect((await at(url)).lines[1]).toMatch(/^error: .* leads to another service, which does not have the keys/);
    await other.stop();
  });

  it.each<[string, () => Promise<{ key: Buffer; cert: Buffer }>, RegExp]>([
    ['has expired', () => authority.issue(-1), /has expired \(CERT_HAS_EXPIRED\)$/],
    [
      'is for another host',
      () => authority.issue(9, 'other.example'),
      /is for other names \(ERR_TLS_CERT_ALTNAME_INVALID\)$/,
    ],
  ])('whose certificate %s is reported', async (_, certificate, expected) => {
    const proxy = started(await startProxy(await certificate(), 1));
    const { code, lines } = await at(`https://localhost:${proxy.port}`);
    expect([code, lines]).toEqual([1, [expect.stringMatching(expected)]]);
  });

  it('whose certificate nobody trusts is reported', async () => {
    const proxy = started(await startProxy(await authority.issue(9), 1));
    const { lines } = await ask({ SVC_BASE_URL: `https://localhost:${proxy.port}` }, ['certificate', 'base_url']);
    expect(lines).toEqual([
      expect.stringMatching(/^error: the certificate of \S+ comes without its intermediate certificates/),
    ]);
  });
});

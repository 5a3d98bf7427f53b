/** Real servers for a service to contact, with certificates of a test authority, and a proxy with TLS. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { promisify } from 'node:util';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

const run = promisify(execFile);
const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

export interface Authority {
  /** Path of its certificate. */
  readonly file: string;
  /** Makes a certificate for `localhost` or another host, valid for `days` from now. Negative: expired that long ago. */
  issue(days: number, host?: string): Promise<{ readonly key: Buffer; readonly cert: Buffer }>;
}

/** Makes an authority with `openssl`, with files in `folder`. */
export async function createAuthority(folder: string): Promise<Authority> {
  const [key, file] = [join(folder, 'authority.key'), join(folder, 'authority.pem')];
  await run('openssl', ['req', '-x509', ...newKey, '-keyout', key, '-out', file, '-subj', '/CN=authority', '-days', '9']);
  let made = 0;
  return {
    file,
    async issue(days, host = 'localhost') {
      made += 1;
      const [own, request, names, cert] = ['key', 'csr', 'names', 'pem'].map((end) => join(folder, `${made}.${end}`)) as [
        string,
        string,
        string,
        string,
      ];
      writeFileSync(names, `subjectAltName=DNS:${host}\n`);
      await run('openssl', ['req', ...newKey, '-keyout', own, '-out', request, '-subj', `/CN=${host}`]);
      const signed = ['-CA', file, '-CAkey', key, '-CAcreateserial', '-extfile', names, '-days', String(days)];
      await run('openssl', ['x509', '-req', '-in', request, ...signed, '-out', cert]);
      return { key: readFileSync(own), cert: readFileSync(cert) };
    },
  };
}

export interface Listening {
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts a proxy with TLS, which forwards to `to` on loopback. */
export async function startProxy(
  certificate: { readonly key: Buffer; readonly cert: Buffer },
  to: number,
): Promise<Listening> {
  const server = createServer(certificate, (socket) => {
    const behind = connect(to, '127.0.0.1');
    socket.on('error', () => behind.destroy()).pipe(behind);
    behind.on('error', () => socket.destroy()).pipe(socket);
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      server.close();
      await once(server, 'close');
    },
  };
}

/** Starts an SMTP server. */
export async function startSmtp(options: SMTPServerOptions = {}): Promise<Listening> {
  const server = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'], ...options });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    port: (server.server.address() as AddressInfo).port,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

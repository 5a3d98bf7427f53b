/** A mail server whose responses the test chooses. */
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { parseMail, type ReceivedMail } from '../passwords/passwords.fixture.ts';

/** Accepts a mail, rejects its recipient temporarily or for good, rejects it after its text, or closes the connection at its text. */
export type SmtpAnswer = 'take' | 'later' | 'never' | 'later after the text' | 'hang up';

export interface TestSmtpServer {
  readonly url: string;
  answer: SmtpAnswer;
  /** How many mails it was offered. */
  tries: number;
  /** The accepted mails. */
  readonly taken: readonly ReceivedMail[];
  stop(): Promise<void>;
}

const refusal = (responseCode: number) => Object.assign(new Error(`a test says ${responseCode}`), { responseCode });

/** Starts it, at a free port unless one is given. */
export async function startSmtpServer(port = 0): Promise<TestSmtpServer> {
  const taken: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo(_address, _session, done) {
      self.tries += 1;
      if (self.answer === 'later') return done(refusal(451));
      if (self.answer === 'never') return done(refusal(550));
      done();
    },
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (self.answer === 'later after the text') return done(refusal(451));
        if (self.answer === 'hang up') return hangUp();
        taken.push(parseMail(Buffer.concat(chunks).toString().replaceAll('\r\n', '\n')));
        done();
      });
    },
  });
  const sockets = new Set<Socket>();
  server.server.on('connection', (socket: Socket) => sockets.add(socket));
  const hangUp = () => {
    for (const socket of sockets) socket.destroy();
  };
  server.on('error', () => undefined); // connections that end in the middle of a mail
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  const self: TestSmtpServer = {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    answer: 'take',
    tries: 0,
    taken,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return self;
}

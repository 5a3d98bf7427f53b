import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseMail } from '../passwords/passwords.fixture.ts';
import { createMailer, MailFault } from './mail.ts';
import { shownName } from './mail-drafts.ts';
import { composeMail } from './texts/compose.ts';
import { serviceBrand } from './texts/mail-brand.ts';
import type { Mail } from './texts/mail-text.ts';

const link = `https://login.example/authorize/reset?token=${'a'.repeat(43)}`;
const mail = composeMail('en', 'ada@example.com', (texts) => texts.reset('Hello', link));
const from = 'Test <test@example.com>';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-mail-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Received {
  readonly from: string;
  readonly to: readonly string[];
  readonly source: string;
}

/** Runs `work` with an SMTP server; returns the mails that it received. */
async function withServer(options: SMTPServerOptions, work: (port: number) => Promise<void>): Promise<readonly Received[]> {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          source: Buffer.concat(chunks).toString(),
        });
        done();
      });
    },
    ...options,
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  try {
    await work((server.server.address() as AddressInfo).port);
  } finally {
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
  return received;
}

const mailerAt = (smtpUrl: string | undefined, written: string[] = []) =>
  createMailer({
    smtpUrl,
    from,
    outboxFolder: join(folder, 'outbox'),
    onWritten: (path) => written.push(path),
    now: () => Date.UTC(2026, 0, 2, 3, 4, 5, 6),
  });

describe('over SMTP', () => {
  it('a mail reaches only its address, with both forms of its text', async () => {
    const [received] = await withServer({}, (port) => mailerAt(`smtp://127.0.0.1:${port}`).send(mail));
    expect(received).toMatchObject({ from: 'test@example.com', to: ['ada@example.com'] });
    const parsed = parseMail(received?.source.replaceAll('\r\n', '\n') ?? '');
    expect(parsed).toMatchObject({ to: 'ada@example.com', subject: mail.subject, secret: 'a'.repeat(43) });
    expect(parsed.text).toContain('Auto-Submitted: auto-generated');
    expect(parsed.text).toContain(`<a href="${link}"`);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('the credentials in the URL are used', async () => {
    const seen: unknown[] = [];
    const onAuth: SMTPServerOptions['onAuth'] = ({ username, password }, _session, done) => {
      seen.push([username, password]);
      done(null, { user: 1 });
    };
    const options = { onAuth, authOptional: false, allowInsecureAuth: true };
    const received = await withServer(options, (port) => mailerAt(`smtp://user:p%40ss@127.0.0.1:${port}`).send(mail));
    expect(seen).toEqual([['user', 'p@ss']]);
    expect(received).toHaveLength(1);
  });

  it('an address is never taken for a list of addresses', async () => {
    const to = 'ada@example.com,eve@example.com';
    const received = await withServer({}, async (port) => {
      await mailerAt(`smtp://127.0.0.1:${port}`)
        .send({ ...mail, to })
        .catch(() => undefined);
    });
    expect(received.flatMap((each) => each.to)).not.toContain('eve@example.com');
  });

  it('a fault names neither address nor content', async () => {
    const onRcptTo: SMTPServerOptions['onRcptTo'] = ({ address }, _session, done) => done(new Error(`no ${address} here`));
    await withServer({ onRcptTo }, async (port) => {
      const failing = mailerAt(`smtp://127.0.0.1:${port}`).send(mail);
      await expect(failing).rejects.toThrow(new MailFault('cannot hand over a mail (EENVELOPE 550)'));
      await expect(failing).rejects.not.toHaveProperty('cause');
    });
    await expect(mailerAt('smtp://user:secret@127.0.0.1:1').send(mail)).rejects.toThrow(
      /^cannot hand over a mail \(E\w+\)$/,
    );
  });
});

describe('a fault', () => {
  const says = (responseCode: number) => Object.assign(new Error('no'), { responseCode });
  const answers: Readonly<Record<string, SMTPServerOptions>> = {
    'a recipient for good': { onRcptTo: (_address, _session, done) => done(says(550)) },
    'a text for good': {
      onData: (stream, _session, done) => {
        stream.resume().on('end', () => done(says(554)));
      },
    },
    'a recipient for now': { onRcptTo: (_address, _session, done) => done(says(451)) },
    'the sender for good': { onMailFrom: (_address, _session, done) => done(says(550)) },
    'the credentials': {
      onAuth: (_auth, _session, done) => done(says(535)),
      authOptional: false,
      allowInsecureAuth: true,
    },
  };

  it.each([
    ['a recipient for good', true],
    ['a text for good', true],
    ['a recipient for now', false],
    ['the sender for good', false],
    ['the credentials', false],
  ] as const)('that refuses %s is final: %s', async (refused, isFinal) => {
    await withServer(answers[refused] as SMTPServerOptions, async (port) => {
      const user = refused === 'the credentials' ? 'user:secret@' : '';
      const fault = await mailerAt(`smtp://${user}127.0.0.1:${port}`)
        .send(mail)
        .catch((error: unknown) => error);
      expect(fault).toBeInstanceOf(MailFault);
      expect(fault).toMatchObject({ isFinal, isUnreachable: false });
    });
  });

  it('of a silent server is temporary', async () => {
    const fault = await mailerAt('smtp://127.0.0.1:1')
      .send(mail)
      .catch((error: unknown) => error);
    expect(fault).toMatchObject({ isFinal: false, isUnreachable: true });
  });
});

describe('without an SMTP server', () => {
  it('a mail becomes a file that only its owner can read, and its path is reported', async () => {
    const written: string[] = [];
    const mailer = mailerAt(undefined, written);
    await mailer.send(mail);
    await mailer.send(mail);
    expect(written).toHaveLength(2);
    for (const path of written) {
      expect(path).toMatch(/outbox\/2026-01-02T03-04-05\.006Z-[0-9a-f]{8}\.eml$/);
      expect(statSync(path).mode & 0o777).toBe(0o600);
      const parsed = parseMail(readFileSync(path, 'utf8'));
      expect(parsed).toMatchObject({ to: 'ada@example.com', subject: mail.subject, secret: 'a'.repeat(43) });
    }
    expect(statSync(join(folder, 'outbox')).mode & 0o777).toBe(0o700);
  });

  it('a folder that cannot be created is a fault', async () => {
    const mailer = createMailer({
      smtpUrl: undefined,
      from,
      outboxFolder: '/dev/null/outbox',
      onWritten: () => {},
      now: () => 0,
    });
    await expect(mailer.send(mail)).rejects.toThrow('cannot hand over a mail (ENOTDIR)');
  });
});

describe('the text of a mail', () => {
  it('escapes a project name in HTML, and keeps it to one line of the header', () => {
    const name = '<img src=x onerror="a">\r\nBcc: eve@example.com\u2028&\u0007';
    const { subject, html, text } = composeMail('de', 'ada@example.com', (texts) => texts.code(name, '123456'));
    expect(subject).not.toMatch(/[\p{C}\u2028\u2029]/u);
    expect(html).not.toContain('<img');
    expect(html).toContain('&lt;img src=x onerror=&quot;a&quot;&gt;');
    expect(html).toContain('<html lang="de">');
    expect(text).toContain('\n    123456\n');
  });

  it('starts no paragraph or line with the project name', () => {
    const name = 'Hello\r\n\r\nYour account is locked:\u2029https://evil.example\n\n    654321\n';
    for (const language of ['en', 'de'] as const) {
      const mails = [
        composeMail(language, 'a@b.c', (texts) => texts.code(name, '123456')),
        composeMail(language, 'a@b.c', (texts) => texts.known(name, link)),
      ];
      for (const { text } of mails) {
        expect(text).toContain('evil.example');
        expect(text).not.toMatch(/^\s*(?:Your account|https:\/\/evil|654321)/mu);
        expect(text).not.toMatch(/[\r\u2028\u2029]/);
      }
    }
  });

  it.each(['en', 'de'] as const)('exists for each mail in %s, with and without a project', (language) => {
    const created: Mail[] = [null, 'Hello'].flatMap((brand) => [
      composeMail(language, 'a@b.c', (texts) => texts.code(brand, '123456')),
      composeMail(language, 'a@b.c', (texts) => texts.known(brand, link)),
      composeMail(language, 'a@b.c', (texts) => texts.reset(brand, link)),
    ]);
    expect(new Set(created.map(({ subject }) => subject)).size).toBe(6);
    for (const { subject, text, html } of created) {
      expect(subject.length).toBeLessThan(70);
      for (const form of [text, html]) expect(form.includes(link) || form.includes('123456')).toBe(true);
      expect(`${subject}${text}`).not.toMatch(/null|undefined|\[object/);
    }
  });

  it('has a button, its address, and the look of the project', () => {
    const colours = { ...serviceBrand.colours, primary: '#123456', onPrimary: '#fedcba' };
    const brand = { name: 'Reef', colours, logo: null, texts: null };
    const { html, text } = composeMail('en', 'a@b.c', (texts) => texts.reset('Reef', link), brand);
    expect(html).toMatch(
      new RegExp(
        `<a href="${link.replace('?', '\\?')}" style="[^"]*background:#123456;color:#fedcba[^"]*">Choose a new password</a>`,
      ),
    );
    expect(html).toContain('<b style="font-size:20px">Reef</b>');
    expect(text).toContain(`\n${link}\n`);
  });

  it('carries the logo inside, so that it shows without a request', async () => {
    const logo = { data: Buffer.from('picture').toString('base64'), mediaType: 'image/png' };
    const brand = { ...serviceBrand, name: 'Reef', logo };
    const branded = composeMail('en', 'a@b.c', (texts) => texts.code('Reef', '123456'), brand);
    expect(branded.html).toContain('<img src="cid:logo" alt="Reef"');
    expect(branded.html).not.toMatch(/src="(?!cid:)/);
    const [received] = await withServer({}, (port) => mailerAt(`smtp://127.0.0.1:${port}`).send(branded));
    expect(received?.source).toMatch(/Content-Id: <logo>/i);
    expect(received?.source).toContain(logo.data);
  });

  it("has a project's own subject, greeting and footer, each in its place", () => {
    const texts = { subject: 'Welcome aboard', greeting: 'Ahoy!', footer: 'Reef Studio\nAmsterdam' };
    const mail = composeMail('en', 'a@b.c', (all) => all.code('Reef', '123456', texts.subject), { ...serviceBrand, texts });
    expect(mail.subject).toBe('123456 – Welcome aboard');
    expect(mail.text).toMatch(/^Ahoy!\n\nEnter this code[\s\S]*\n\nReef Studio\nAmsterdam\n$/);
    expect(mail.html).toContain('Reef Studio<br>Amsterdam<br>');
  });

  it.each([
    ['Ada', 'Reef Studio', 'Ada invited you to Reef Studio'],
    [null, 'Reef Studio', 'You are invited to Reef Studio'],
    ['evil.example', 'Reef Studio', 'You are invited to Reef Studio'],
    ['Ada', 'win at http://x', 'Ada invited you to an account'],
    ['ada@example.com', 'www.evil', 'You are invited to an account'],
    ['Ａda ｅｖｉｌ．ｅｘａｍｐｌｅ', 'ev\u200bil\u200b.exam\u200bple', 'You are invited to an account'],
    ['A'.repeat(80), 'J. R. Smith Inc.', `${'A'.repeat(60)}… invited you to J. R. Smith Inc.`],
  ])('names an inviter %j and an account %j if they carry no address', (inviter, account, subject) => {
    const names = { inviter: shownName(inviter), account: shownName(account) };
    expect(composeMail('en', 'a@b.c', (texts) => texts.invitation(names, link)).subject).toBe(subject);
  });
});

import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { keepAliveSeconds } from '../connections/listener.ts';
import { putHead, putStreamHead } from './send.ts';

const fields = [
  'API-Version',
  '1',
  'Location',
  'https://example.com/caf\u00e9?a=1',
  'Set-Cookie',
  'a=b',
  'Set-Cookie',
  'c=d',
];

/** Sends a request to a server that responds with `answer`. Returns everything received until the connection or the response ends. */
async function received(request: string, answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer({ keepAliveTimeout: keepAliveSeconds * 1000 }, (_request, response) => answer(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.setEncoding('latin1');
  socket.write(request);
  let text = '';
  for await (const piece of socket) {
    text += piece;
    if (/\r\n\r\n(?:0\r\n\r\n|.*whole$|$)/s.test(text) && /Connection: keep-alive/.test(text)) break;
  }
  return text;
}

/** The header lines in sorted order, since the order of different headers is irrelevant, and without the date, which varies. */
const comparable = (text: string) => {
  const [head = '', ...body] = text.split('\r\n\r\n');
  return {
    lines: head
      .replace(/Date: .*GMT/, 'Date')
      .split('\r\n')
      .sort(),
    body: body.join('\r\n\r\n'),
  };
};

const requests = {
  'HTTP/1.1': 'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
  'HTTP/1.1 with Connection: close': 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  'HTTP/1.0': 'GET / HTTP/1.0\r\n\r\n',
  'HTTP/1.0 with Connection: keep-alive': 'GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n',
};

for (const [name, request] of Object.entries(requests)) {
  test.each([200, 404, 503])(`${name}: writes the same as the runtime for %i with a body`, async (status) => {
    const own = [...fields, 'Content-Length', '5'];
    const theirs = await received(request, (response) => response.writeHead(status, own).end('whole', 'latin1'));
    const ours = await received(request, (response) => {
      putHead(response, { status, headers: own, isLast: false });
      response.end('whole', 'latin1');
    });
    expect(comparable(ours)).toEqual(comparable(theirs));
    expect(comparable(ours).body).toBe('whole');
  });

  test(`${name}: writes the same as the runtime in pieces`, async () => {
    const theirs = await received(request, (response) => {
      response.writeHead(200, fields).write('wh');
      response.end('ole');
    });
    const ours = await received(request, (response) => {
      putStreamHead(response, { status: 200, headers: fields, isLast: false });
      response.write('wh');
      response.end('ole');
    });
    expect(comparable(ours)).toEqual(comparable(theirs));
  });
}

test.each([204, 304])('%i has no body and ends no connection', async (status) => {
  const ours = await received(requests['HTTP/1.1'], (response) => {
    putHead(response, { status, headers: fields, isLast: false });
    response.end();
  });
  const theirs = await received(requests['HTTP/1.1'], (response) => response.writeHead(status, fields).end());
  expect(comparable(ours)).toEqual(comparable(theirs));
});

test('a final answer ends its connection', async () => {
  const ours = await received(requests['HTTP/1.1'], (response) => {
    putHead(response, { status: 200, headers: ['Content-Length', '5'], isLast: true });
    response.end('whole');
  });
  expect(comparable(ours).lines).toContain('Connection: close');
});

test('the date is the time of the answer, to a second', async () => {
  const begun = Date.now();
  const ours = await received(requests['HTTP/1.1'], (response) => {
    putHead(response, { status: 204, headers: [], isLast: true });
    response.end();
  });
  const date = Date.parse(/^Date: (.*GMT)\r$/m.exec(ours)?.[1] ?? '');
  expect(date).toBeGreaterThan(begun - 2_000);
  expect(date).toBeLessThanOrEqual(Date.now());
});

test.each(['a\r\nb', 'a\nb', 'a\0b', '\u2028', '\u{1f600}', '\u0100'])('%j is kept out of a header', async (value) => {
  const thrown: unknown[] = [];
  await received(requests['HTTP/1.1'], (response) => {
    try {
      putHead(response, { status: 303, headers: ['Location', value], isLast: true });
    } catch (error) {
      thrown.push(error);
    }
    response.end();
  });
  expect(thrown).toEqual([expect.any(TypeError)]);
});

test('a response has only one head', async () => {
  const thrown: unknown[] = [];
  await received(requests['HTTP/1.1'], (response) => {
    putHead(response, { status: 204, headers: [], isLast: true });
    try {
      putHead(response, { status: 204, headers: [], isLast: true });
    } catch (error) {
      thrown.push(error);
    }
    response.end();
  });
  expect(thrown).toHaveLength(1);
});

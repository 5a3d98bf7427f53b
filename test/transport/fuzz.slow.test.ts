import { describe, expect, test } from 'vitest';
import { freshSeed } from '../../tooling/random.ts';
import { checkWire, fuzz } from '../../torture/fuzz.ts';
import { withPlace } from '../support/place.ts';

/** Enough to get each status below several times. `npm run torture -- --fuzz 100000` sends more. */
const cases = 2_000;

test(`${cases} damaged requests leave the service unharmed`, async () => {
  const seed = freshSeed();
  const report = await withPlace(({ settings }) => fuzz({ cases, seed, env: settings }));
  const repeat = 'repeat a case with: npm run torture -- --fuzz 1 --seed <its seed>';
  expect(report.faults, `${repeat}\n${report.faults.join('\n')}`).toEqual([]);
  expect(report.cases).toBe(cases);
  // Damage without any response, or that never passes the parser, would prove nothing.
  expect(report.answeredCases).toBeGreaterThan(cases * 0.7);
  for (const status of [200, 204, 400, 401, 404, 405, 412, 415, 431]) {
    expect(report.statuses.has(status), `an answer of ${status}`).toBe(true);
  }
});

describe('the check of a response finds', () => {
  const date = 'Date: Fri, 20 Nov 2026 17:00:00 GMT';
  const answer = (line: string, headers: readonly string[], body = '') => [line, ...headers, date, '', body].join('\r\n');
  const request = Buffer.from('GET / HTTP/1.1\r\n\r\n');
  const faults = (wire: string, sent = request) => checkWire(Buffer.from(wire, 'latin1'), sent).faults;
  const version = 'API-Version: 1';
  const json = 'Content-Type: application/json';
  const refusal = '{"error":"not_found","message":"no"}';
  const whole = answer('HTTP/1.1 404 Not Found', [version, json, `Content-Length: ${refusal.length}`], refusal);

  test('nothing in correct responses', () => {
    const empty = answer('HTTP/1.1 204 No Content', [version]);
    const pieces = answer('HTTP/1.1 200 OK', [version, json, 'Transfer-Encoding: chunked'], '2\r\n[]\r\n0\r\n\r\n');
    expect(checkWire(Buffer.from(`HTTP/1.1 100 Continue\r\n\r\n${whole}${empty}${pieces}`), request)).toMatchObject({
      answers: [{ status: 404 }, { status: 204 }, { status: 200 }],
      faults: [],
    });
    expect(faults(whole.slice(0, -refusal.length), Buffer.from('HEAD / HTTP/1.1\r\n\r\n'))).toEqual([]);
  });

  test.each([
    ['no version', whole.replace(`${version}\r\n`, '')],
    ['another version', whole.replace(version, 'API-Version: 2')],
    ['a duplicate version', whole.replace(version, `${version}\r\n${version}`)],
    ['500', whole.replace('404 Not Found', '500 Internal Server Error')],
    ['503', whole.replace('404 Not Found', '503 Service Unavailable')],
    ['a body longer than its length', whole.replace('}', '}x')],
    ['no length', whole.replace(/Content-Length: \d+\r\n/, '')],
    ['an unknown code', whole.replace('not_found', 'not_fount')],
    ['a body that is not JSON', whole.replace('}', ' ')],
    ['a body in a response without one', `${answer('HTTP/1.1 204 No Content', [version])}{}`],
    ['a bare line feed', whole.replace('\r\n', '\n')],
    ['a control character', whole.replace('Not Found', 'Not\x01Found')],
    [
      'a chunk shorter than its size',
      answer('HTTP/1.1 200 OK', [version, 'Transfer-Encoding: chunked'], '3\r\n[]\r\n0\r\n\r\n'),
    ],
    ['an unrequested response', `${whole}nonsense\r\n\r\n`],
  ])('%s', (_what, wire) => {
    expect(faults(wire)).toHaveLength(1);
  });
});

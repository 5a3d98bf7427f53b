import { errors } from 'jose';
import { expect, test } from 'vitest';
import { errorFields } from './error-fields.ts';

test('an error is logged with its type, message, stack, code and causes', () => {
  const cause = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  const fields = errorFields(new TypeError('cannot write', { cause }));
  expect(fields).toMatchObject({ type: 'TypeError', message: 'cannot write', cause: { code: 'ENOSPC' } });
  expect(fields.stack).toContain('error-fields.test.ts');
});

test('other properties of an error, such as token claims, are not logged', () => {
  const claims = { email: 'somebody@example.com' };
  const fields = errorFields(new errors.JWTClaimValidationFailed('unexpected "aud" claim value', claims, 'aud'));
  expect(fields.type).toBe('JWTClaimValidationFailed');
  expect(JSON.stringify(fields)).not.toContain('somebody');
});

test('text that is not JSON is not quoted', () => {
  for (const text of ['hunter2', '{"password":"hunter2" ', '{"password":hunter2}']) {
    let fault: unknown;
    try {
      JSON.parse(text);
    } catch (error) {
      fault = new Error('cannot read', { cause: error });
    }
    expect(errorFields(fault)).toMatchObject({ cause: { type: 'SyntaxError', message: 'the text is not valid JSON' } });
    expect(JSON.stringify(errorFields(fault))).not.toContain('hunter2');
  }
});

test('addresses are not logged, and paths are unchanged', () => {
  const fields = errorFields(new Error('550 <some.body+x@mail.example.com> is unknown to postgres://me:pass@db:5432/x'));
  expect(fields.message).toBe('550 <(address)> is unknown to postgres://(address):5432/x');
  const fault = new Error('x');
  fault.stack = 'at run (/app/node_modules/@scope/name/index.js:1:2)';
  expect(errorFields(fault).stack).toBe(fault.stack);
});

test('consecutive addresses are not logged either', () => {
  const fields = errorFields(new Error('a@b.c,d@e.f a@b@c @home ä@ü.de x@'));
  expect(fields.message).toBe('(address)(address) (address)@c @home ä@ü.de x@');
});

test('a long message without addresses takes no time', () => {
  const long = new Error('x'.repeat(100_000));
  const begun = process.threadCpuUsage();
  expect(errorFields(long).message).toHaveLength(100_000);
  expect(process.threadCpuUsage(begun).user).toBeLessThan(1_000_000); // a search from each character takes 10 s
});

test('an aggregate error names each of its errors, and circular causes end', () => {
  const each = [new Error('refused over IPv6'), new Error('refused over IPv4')];
  expect(errorFields(new AggregateError(each)).errors?.map(({ message }) => message)).toEqual([
    'refused over IPv6',
    'refused over IPv4',
  ]);
  const circle = new Error('round');
  circle.cause = circle;
  expect(JSON.stringify(errorFields(circle)).match(/"round"/g)).toHaveLength(6);
});

test('a thrown value that is not an error is not shown', () => {
  expect(errorFields('hunter2')).toEqual({ type: 'string', message: 'something that is not an error was thrown' });
});

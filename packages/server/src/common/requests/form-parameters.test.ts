import { describe, expect, it } from 'vitest';
import { parseFormText, readParameters } from './form-parameters.ts';

describe('request parameters', () => {
  it('are decoded as a form', () => {
    const parameters = readParameters('state=a%20b+c%2Bd&scope=env%3Aproduction&name=%C3%A9');
    expect(parameters.get('state')).toBe('a b c+d');
    expect(parameters.get('scope')).toBe('env:production');
    expect(parameters.get('name')).toBe('é');
    expect(parameters.repeated.size).toBe(0);
  });

  it.each(['', 'scope', 'scope=', 'Scope=x'])('without a value count as absent: "%s"', (text) => {
    expect(readParameters(text).get('scope')).toBeUndefined();
  });

  it.each(['a=1&a=2', 'a=1&a=1', 'a=&a=1', 'a&a', 'a=1&b=2&%61=3'])('are marked if repeated: %s', (text) => {
    expect([...readParameters(text).repeated]).toEqual(['a']);
  });

  it('may have names that objects inherit', () => {
    const parameters = readParameters('toString=1&__proto__=2');
    expect(parameters.get('constructor')).toBeUndefined();
    expect(parameters.get('__proto__')).toBe('2');
  });

  it('may be a hundred', () => {
    expect([...parseFormText(`${'a&'.repeat(99)}a`)]).toHaveLength(100);
    expect(readParameters(`${'&'.repeat(90)}b=1`).get('b')).toBe('1');
  });

  it.each(['a&', '&', '=&', 'a=b&'])('are not read at all over that number: 64 KiB of "%s"', (unit) => {
    const text = unit.repeat(65_536 / unit.length);
    expect(() => parseFormText(text)).toThrow('more than 100 parameters were sent');
    expect(() => readParameters(text)).toThrow(expect.objectContaining({ code: 'validation_error' }));
  });
});

import { describe, expect, it } from 'vitest';
import { texts as jsonFaultsEn } from '../texts/json-faults-en.ts';
import { readDocument } from './document-text.ts';
import { faultSentenceIn } from './json-fault.ts';

const say = (text: string) => {
  const read = readDocument(text);
  return read.kind === 'fault' ? faultSentenceIn(jsonFaultsEn, read.fault) : 'a document';
};

describe('the fault of a JSON text', () => {
  it('lies where the missing comma belongs', () => {
    expect(readDocument('{\n  "a": 1\n  "b": 2\n}')).toMatchObject({ kind: 'fault', position: 10 });
    expect(readDocument('{"a": [1 2]}')).toMatchObject({ kind: 'fault', position: 8 });
  });
  it.each([
    ['{\n  "a": 1\n  "b": 2\n}', 'Missing comma after line 2'],
    ['{\n  "a": [1, 2]\n  ,"b": {"c": true}\n\n  "d": 1}', 'Missing comma after line 3'],
    ['{"a": 1 "b": 2}', 'Missing comma in line 1, before "'],
    ['{"a": [1 2]}', 'Missing comma in line 1, before 2'],
    ['{\n"a" 1}', 'Missing colon after "a" in line 2'],
    ['{"a": 1,}', 'Remove the comma in line 1: nothing follows it'],
    ['{"a": [1,\n]}', 'Remove the comma in line 1: nothing follows it'],
    ['{"a": 1,\n,"b": 2}', 'Remove the comma in line 1: nothing follows it'],
    ['', 'The document is empty. It begins with { and ends with }.'],
    ['{"a": {\n"b": [1, 2],\n"c": 3}', 'The { in line 1 is never closed'],
    ['{\n"a": [1, 2', 'The [ in line 2 is never closed'],
    ['{"a": [1, 2}}', 'The } in line 1 has no opening bracket'],
    ['{\n"a": "one\n}', 'The text in line 2 has no closing quote'],
    ['{"a": "one}', 'The text in line 1 has no closing quote'],
    ['{"a": "\\x"}', 'Line 1 has an unknown escape after \\'],
    ['{"a": "\t"}', 'Line 1 has a tab or other control character in a text: write \\t instead'],
    ["{'a': 1}", 'Use double quotes in line 1, not single ones'],
    ['{"a": \'x\'}', 'Use double quotes in line 1, not single ones'],
    ['{a: 1}', 'Put the name a in line 1 in double quotes'],
    ['{"a": True}', 'True in line 1 is not a value: use true, false, null or a text in double quotes'],
    ['{"a": trueish}', 'trueish in line 1 is not a value: use true, false, null or a text in double quotes'],
    ['{"a": 01}', '01 in line 1 is not a JSON number'],
    ['{"a": .5}', '.5 in line 1 is not a JSON number'],
    ['{"a": 1.}', '1. in line 1 is not a JSON number'],
    ['{"a": 1, // one\n"b": 2}', 'Remove the comment in line 1: JSON allows none'],
    ['{"a": 1}\n{"b": 2}', 'The document ends before line 2: remove the rest'],
    ['[1]', 'The document must be an object in { }'],
    ['{"a": }', 'Missing value after the colon in line 1'],
    ['{"a":\n, "b": 2}', 'Missing value after the colon in line 1'],
    ['{"a": 1, "b": :}', 'Unexpected : in line 1'],
    [`${'{"a":'.repeat(300)}1${'}'.repeat(300)}`, 'Line 1 is nested deeper than 256 levels'],
    ['{"a": 1}', 'a document'],
  ])('%j', (text, sentence) => {
    expect(say(text)).toBe(sentence);
  });
});

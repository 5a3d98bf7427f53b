/** Refusals of the service in the reader's language, by code or by schema violation. */

import { ApiError } from '@holdfast/contract/call';
import { accountMessages } from '@holdfast/contract/messages';
import { pathOfPointer } from '@holdfast/json';
import type { Texts } from '../texts/index.ts';
import { isOfSchema, violationText } from '../texts/violations.ts';
import { faultText } from './fault-text.ts';
import { flagSentence } from './flag-sentence.ts';
import { plain } from './plain-text.ts';
import { pathText } from './pointer-text.ts';

interface Violation {
  readonly path: string;
  readonly keyword: string;
  readonly message: string;
}

/** Returns the fault. Untranslated messages stay as sent. */
export function refusalText(t: Texts, error: unknown): string {
  if (!(error instanceof ApiError)) return faultText(t, error);
  const violations = violationsOf(error.body.violations);
  if (violations.length > 0) return schemaViolationText(t, error.message, violations);
  if (error.code === 'forbidden' && error.message === accountMessages.suspended) return t.refusals.suspended;
  const { codes } = t.refusals;
  const say = Object.hasOwn(codes, error.code) ? codes[error.code] : undefined;
  return say === undefined ? faultText(t, error) : say(plain(error.message));
}

function schemaViolationText(t: Texts, message: string, violations: readonly Violation[]): string {
  const { refusals } = t;
  const [first, ...others] = violations;
  if (first === undefined) return plain(message);
  const where = pathText(first.path) || refusals.whole;
  const more = others.length > 0 ? refusals.more(others.length) : '';
  if (first.keyword === 'flags') return `${flagSentence(t, flagOf(first.path), first.message)}${more}`;
  const what = `${where} ${plain(violationText(first))}${more}`;
  return isOfSchema(message) ? refusals.badSchema(what) : refusals.schemaViolation(what);
}

/** The flag at a JSON Pointer; empty for the flags as a whole. */
const flagOf = (pointer: string): string => pathOfPointer(pointer)[1] ?? '';

function violationsOf(value: unknown): readonly Violation[] {
  return Array.isArray(value) ? value.filter(isViolation) : [];
}

function isViolation(value: unknown): value is Violation {
  if (typeof value !== 'object' || value === null) return false;
  const members: Partial<Record<keyof Violation, unknown>> = value;
  return [members.path, members.keyword, members.message].every((member) => typeof member === 'string');
}

/** What `holdfast doctor` finds. */
import { FetchFault, notJson } from '../identity/fetch-json.ts';

export interface Finding {
  /** An error stops the service from working, now or later. A warning may do harm. A note is for information. */
  readonly level: 'error' | 'warning' | 'note';
  readonly area: 'configuration' | 'machine' | 'data_folder' | 'service' | 'database' | 'network';
  readonly finding: string;
  /** What to do about it. */
  readonly advice: string;
}

/** Returns a function that makes findings of one area. */
export const findingOf =
  (area: Finding['area']) =>
  (level: Finding['level'], finding: string, advice: string): Finding => ({ level, area, finding, advice });

/** What was asked over the network, and what came. */
export interface Answer {
  readonly check: 'mail' | 'issuer' | 'provider' | 'database_clock' | 'certificate' | 'base_url';
  /** Who was asked, such as `the mail server smtp://mail.example`. Never with a password. */
  readonly asked: string;
  /** In words that go on after `asked`. */
  readonly answer: string;
  /** Null: all is well. */
  readonly level: Finding['level'] | null;
  /** What to do about it; empty where all is well. */
  readonly advice: string;
}

/** Returns functions that make answers of one who was asked. */
export const answersOf = (check: Answer['check'], asked: string) => ({
  good: (answer: string): Answer => ({ check, asked, answer, level: null, advice: '' }),
  bad: (level: Finding['level'], answer: string, advice: string): Answer => ({ check, asked, answer, level, advice }),
});

/** Returns what was found by answers that are not good. */
export const findingsIn = (answers: readonly Answer[]): Finding[] =>
  answers.flatMap(({ asked, answer, level, advice }) =>
    level === null ? [] : [{ level, area: 'network', finding: `${asked} ${answer}`, advice }],
  );

/**
 * Returns in one line why somebody could not be asked: what the first cause says. Messages of parsers are left out, since they quote what
 * came.
 */
export function reasonOf(fault: unknown): string {
  if (!(fault instanceof Error)) return 'an unknown fault';
  if (fault instanceof FetchFault) return fault.message; // it has that of its cause
  if (fault.cause instanceof Error) return reasonOf(fault.cause);
  return fault instanceof SyntaxError ? notJson : fault.message;
}

/** How long one of those who are asked has. */
export const answerMilliseconds = 5_000;

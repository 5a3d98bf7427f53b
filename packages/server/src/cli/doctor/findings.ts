/** Findings of `holdfast doctor`. */
import { notJson } from '../../identity/fetch-json.ts';
import { FetchFault } from '../../outbound/fetch.ts';

export interface Finding {
  /** An error stops the service from working, now or later. A warning can cause harm. A note is for information. */
  readonly level: 'error' | 'warning' | 'note';
  readonly area: 'configuration' | 'machine' | 'data_folder' | 'service' | 'database' | 'network';
  readonly finding: string;
  /** What to do. */
  readonly advice: string;
}

/** Returns a function that makes findings in one area. */
export const findingOf =
  (area: Finding['area']) =>
  (level: Finding['level'], finding: string, advice: string): Finding => ({ level, area, finding, advice });

/** The result of a network check. */
export interface Answer {
  readonly check: 'mail' | 'issuer' | 'provider' | 'database_clock' | 'certificate' | 'base_url';
  /** The server, for example `the mail server smtp://mail.example`. Never with a password. */
  readonly asked: string;
  /** Continues a sentence that begins with `asked`. */
  readonly answer: string;
  /** Null if there is no problem. */
  readonly level: Finding['level'] | null;
  /** What to do; empty if there is no problem. */
  readonly advice: string;
}

/** Returns functions that make the results of one server's check. */
export const answersOf = (check: Answer['check'], asked: string) => ({
  good: (answer: string): Answer => ({ check, asked, answer, level: null, advice: '' }),
  bad: (level: Finding['level'], answer: string, advice: string): Answer => ({ check, asked, answer, level, advice }),
});

/** Returns findings from results with a problem. */
export const findingsIn = (answers: readonly Answer[]): Finding[] =>
  answers.flatMap(({ asked, answer, level, advice }) =>
    level === null ? [] : [{ level, area: 'network', finding: `${asked} ${answer}`, advice }],
  );

/**
 * Returns one line that says why a server could not be asked, from the first cause. Parser messages are left out, since they quote the
 * response.
 */
export function reasonOf(fault: unknown): string {
  if (!(fault instanceof Error)) return 'an unknown fault';
  if (fault instanceof FetchFault) return fault.message; // it includes the message of its cause
  if (fault.cause instanceof Error) return reasonOf(fault.cause);
  return fault instanceof SyntaxError ? notJson : fault.message;
}

/** Time limit for each server. */
export const answerMilliseconds = 5_000;

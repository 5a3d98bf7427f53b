/** Tries of mails by outcome, and how many wait; for the metrics. */
export class MailCounts {
  sent = 0;
  /** Attempts that a server refused or did not answer, so that the mail is tried again. */
  postponed = 0;
  /** Mails that failed for good. */
  failed = 0;
  /** Unsent mails of all nodes when this node last looked. */
  waiting = 0;
}

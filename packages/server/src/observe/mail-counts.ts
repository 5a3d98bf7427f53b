/** What is counted of mails, for the metrics. */
export class MailCounts {
  sent = 0;
  /** Tries that a server has refused, or that none has answered, so that the mail is tried again. */
  postponed = 0;
  /** Mails that are never tried again. */
  failed = 0;
  /** Mails of all nodes that were not sent when this one last looked. */
  waiting = 0;
}

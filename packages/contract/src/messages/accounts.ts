/** The messages about accounts. */

export const accountMessages = {
  /** To every client of an account that the operator has suspended. */
  suspended: 'the account is suspended: ask the operator of the service',
} as const;

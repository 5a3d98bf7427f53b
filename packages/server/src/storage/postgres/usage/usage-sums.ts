/** What an account uses, added up from the rows that the writes of state change anyway. */

/** SQL: the bytes of all that lies in the account of this parameter, in its living projects. */
export const storageBytesOf = (account: string): string => `(
  (SELECT coalesce(sum(kept_bytes), 0) FROM environments WHERE account_id = ${account})
  + (SELECT coalesce(sum(bytes), 0) FROM user_usage JOIN projects USING (account_id, project_id) WHERE account_id = ${account})
)::bigint`;

/** SQL: the end users with state in the account of this parameter, in its living projects. */
export const endUsersOf = (account: string): string => `(
  SELECT coalesce(sum(end_users), 0) FROM user_usage JOIN projects USING (account_id, project_id) WHERE account_id = ${account}
)::bigint`;

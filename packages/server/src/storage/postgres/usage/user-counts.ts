/** Counts players and the bytes of their states, for each statement that adds some. */
import { insertInto } from '../inserts.ts';

export const members = insertInto('end_users', 'account_id', 'project_id', 'end_user_id', 'environments');
export const counts = insertInto('user_usage', 'account_id', 'project_id', 'part', 'end_users', 'bytes');

/** Follows an INSERT of `members`: a player who has state in other environments too has one row. */
export const joinMember =
  'ON CONFLICT (account_id, project_id, end_user_id) DO UPDATE SET environments = end_users.environments | excluded.environments';

/** Follows an INSERT of `counts`, and adds to the row that counts. */
export const addCounts = `ON CONFLICT (account_id, project_id, part) DO UPDATE
    SET end_users = user_usage.end_users + excluded.end_users, bytes = user_usage.bytes + excluded.bytes`;

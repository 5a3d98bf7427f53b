/**
 * The statements that the service sends to PostgreSQL, as the tests of the server saw them. Each of these tests fails if it sends another
 * one: so none is overlooked that a database of several machines would refuse (statements.test.ts).
 *
 * With `HOLDFAST_RECORD=1` they add missing statements to the list instead. To drop those that are no longer sent, a whole run replaces the list:
 * `HOLDFAST_RECORD=whole npm run test:all -- --project postgres packages/server/src`.
 */
import { afterAll, expect } from 'vitest';
import { statementsSent } from '../connection/wire.ts';
import { isRecording, keptStatements, recordStatements } from './list.fixture.ts';

/** Not of the list: changes of the schema, and settings of a connection. */
const isOther = /^(ALTER|CREATE|DROP|SET|VACUUM)\b|^--/;
/** Other tests, and those of the connection itself, send statements of their own. */
const isMeant = /\/packages\/server\/src\/(?!storage\/postgres\/(connection|schema|fixtures)\/)/;

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

const known = new Set(keptStatements());
const seen = new Set<string>();
const unknown = new Set<string>();

function look(message: unknown): void {
  const text = String(message);
  if (seen.has(text)) return;
  seen.add(text);
  const line = oneLine(text);
  if (!isOther.test(line) && !known.has(line)) unknown.add(line);
}

// A database of several machines is asked about itself too.
if (process.env.CITUS_DATABASE_URL === undefined && isMeant.test(expect.getState().testPath ?? ''))
  statementsSent.subscribe(look);

afterAll(() => {
  statementsSent.unsubscribe(look);
  if (isRecording) {
    recordStatements(unknown);
  } else {
    expect(
      [...unknown],
      'not in statements.sql: judge it by statements.test.ts, and add it with HOLDFAST_RECORD=1',
    ).toEqual([]);
  }
});

import { describe } from 'vitest';
import { auditedDay } from '../store-suite/management/audit.ts';
import { wholeContract } from '../store-suite/suite.ts';
import { createSqliteHarness } from './store.fixture.ts';

wholeContract('SQLite', createSqliteHarness);
describe('SQLite keeps the audit trail of a day', () => auditedDay(createSqliteHarness));

import { describe } from 'vitest';
import { auditedDay } from '../store-contract/management/audit.ts';
import { wholeContract } from '../store-contract/suite.ts';
import { createSqliteHarness } from './store.fixture.ts';

wholeContract('SQLite', createSqliteHarness);
describe('SQLite keeps the audit trail of a day', () => auditedDay(createSqliteHarness));

import { describe } from 'vitest';
import { auditedDay } from '../store-suite/management/audit.ts';
import { heavyContract } from '../store-suite/suite.ts';
import { createPostgresHarness } from './store.fixture.ts';

heavyContract('PostgreSQL', createPostgresHarness);
describe('PostgreSQL keeps the audit trail of a day', () => auditedDay(createPostgresHarness));

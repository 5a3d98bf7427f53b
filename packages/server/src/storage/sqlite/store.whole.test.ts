import { wholeContract } from '../store.contract.ts';
import { createSqliteHarness } from './store.fixture.ts';

wholeContract('SQLite', createSqliteHarness);

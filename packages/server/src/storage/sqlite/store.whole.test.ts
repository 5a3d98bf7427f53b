import { wholeContract } from '../store-contract/suite.ts';
import { createSqliteHarness } from './store.fixture.ts';

wholeContract('SQLite', createSqliteHarness);

import { heavyContract } from '../store-contract/suite.ts';
import { createSqliteHarness } from './store.fixture.ts';

heavyContract('SQLite', createSqliteHarness);

import { heavyContract } from '../store-suite/suite.ts';
import { createSqliteHarness } from './store.fixture.ts';

heavyContract('SQLite', createSqliteHarness);

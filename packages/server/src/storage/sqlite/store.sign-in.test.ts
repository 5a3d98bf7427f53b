import { signInContract } from '../store-contract/suite.ts';
import { createSqliteHarness } from './store.fixture.ts';

signInContract('SQLite', createSqliteHarness);

import { signInContract } from '../store-suite/suite.ts';
import { createSqliteHarness } from './store.fixture.ts';

signInContract('SQLite', createSqliteHarness);

import { stateContract } from '../store-suite/suite.ts';
import { createSqliteHarness } from './store.fixture.ts';

stateContract('SQLite', createSqliteHarness);

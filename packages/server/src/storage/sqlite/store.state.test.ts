import { stateContract } from '../store-contract/suite.ts';
import { createSqliteHarness } from './store.fixture.ts';

stateContract('SQLite', createSqliteHarness);

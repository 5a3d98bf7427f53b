import { stateContract } from '../store.contract.ts';
import { createSqliteHarness } from './store.fixture.ts';

stateContract('SQLite', createSqliteHarness);

import { signInContract } from '../store.contract.ts';
import { createSqliteHarness } from './store.fixture.ts';

signInContract('SQLite', createSqliteHarness);

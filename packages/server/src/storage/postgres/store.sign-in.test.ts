import { signInContract } from '../store.contract.ts';
import { createPostgresHarness } from './store.fixture.ts';

signInContract('PostgreSQL', createPostgresHarness);

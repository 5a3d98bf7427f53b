import { signInContract } from '../store-contract/suite.ts';
import { createPostgresHarness } from './store.fixture.ts';

signInContract('PostgreSQL', createPostgresHarness);

import { signInContract } from '../store-suite/suite.ts';
import { createPostgresHarness } from './store.fixture.ts';

signInContract('PostgreSQL', createPostgresHarness);

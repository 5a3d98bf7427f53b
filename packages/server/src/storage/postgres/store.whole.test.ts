import { wholeContract } from '../store-contract/suite.ts';
import { createPostgresHarness } from './store.fixture.ts';

wholeContract('PostgreSQL', createPostgresHarness);

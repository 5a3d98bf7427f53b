import { wholeContract } from '../store-suite/suite.ts';
import { createPostgresHarness } from './store.fixture.ts';

wholeContract('PostgreSQL', createPostgresHarness);

import { stateContract } from '../store-suite/suite.ts';
import { createPostgresHarness } from './store.fixture.ts';

stateContract('PostgreSQL', createPostgresHarness);

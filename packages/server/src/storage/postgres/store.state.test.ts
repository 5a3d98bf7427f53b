import { stateContract } from '../store-contract/suite.ts';
import { createPostgresHarness } from './store.fixture.ts';

stateContract('PostgreSQL', createPostgresHarness);

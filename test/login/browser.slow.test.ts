/** The login pages in a real browser. All tests share one browser and one server. */
import { federationSuite } from './federation.suite.ts';
import { passkeySuite } from './passkey.suite.ts';
import { passwordSuite } from './password.suite.ts';
import { sharedStage } from './stage.ts';
import { tabsSuite } from './tabs.suite.ts';

const stage = sharedStage();
passwordSuite(stage);
passkeySuite(stage);
federationSuite(stage);
tabsSuite(stage);

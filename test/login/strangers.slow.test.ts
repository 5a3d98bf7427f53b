import { it } from 'vitest';
import { causeMails, startMailing } from './strangers.fixture.ts';

const mails = 60;
startMailing(mails);

it('one client address can cause only as many mails as the setting allows', () => causeMails(mails));

// breaks: outbound-knows-no-user
import type { Principal } from '../access/principal.ts';

export type Sender = Principal;

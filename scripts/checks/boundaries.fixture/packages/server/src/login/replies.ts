import { reply } from '../http/replies/reply.ts';
import { client } from '../oauth/client.ts';

export const page = () => reply(client);

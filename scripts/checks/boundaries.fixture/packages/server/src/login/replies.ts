import { reply } from '../http/reply.ts';
import { client } from '../oauth/client.ts';

export const page = () => reply(client);

// breaks: domain-knows-no-transport
import '../access/cache.ts';

export const remembers = true;

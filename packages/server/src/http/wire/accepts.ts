const refused = /;\s*q=0(?:\.0{0,3})?\s*(?:;|$)/i;
/** Longer than the header of any browser. */
const acceptCharactersMax = 1_024;

/** Whether the header `Accept` names a media type with a weight above 0. Wildcards do not count as names; a longer header names none. */
export function accepts(accept: string | undefined, mediaType: string): boolean {
  if (accept === undefined || accept.length > acceptCharactersMax) return false;
  const isNamed = (range: string) => range.split(';', 1)[0]?.trim().toLowerCase() === mediaType;
  return accept.split(',').some((range) => isNamed(range) && !refused.test(range));
}

/** Whether the client wants a page: browsers request HTML when they open an address; programs do not. */
export const wantsPage = ({ accept }: { readonly accept?: string | undefined }): boolean => accepts(accept, 'text/html');

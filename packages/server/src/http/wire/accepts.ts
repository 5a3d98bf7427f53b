const refused = /;\s*q=0(?:\.0{0,3})?\s*(?:;|$)/i;

/** Whether the header `Accept` names a media type with a weight above 0. Wildcards do not count as names. */
export function accepts(accept: string | undefined, mediaType: string): boolean {
  const isNamed = (range: string) => range.split(';', 1)[0]?.trim().toLowerCase() === mediaType;
  return accept?.split(',').some((range) => isNamed(range) && !refused.test(range)) ?? false;
}

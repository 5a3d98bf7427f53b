/** Who wants a page: browsers say so of what they are sent to; programs do not. */
const namesPages = /\btext\/html\b/;
const acceptCharactersMax = 1_024;

/** Returns whether `Accept` names HTML. One that is longer than any browser's does not. */
export const wantsPage = ({ accept = '' }: { readonly accept?: string | undefined }): boolean =>
  accept.length <= acceptCharactersMax && namesPages.test(accept);

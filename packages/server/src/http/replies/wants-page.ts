/** Whether the client wants a page: browsers request HTML when they open an address; programs do not. */
const namesPages = /\btext\/html\b/;
const acceptCharactersMax = 1_024;

/** Returns whether `Accept` names HTML; false for headers longer than any browser's. */
export const wantsPage = ({ accept = '' }: { readonly accept?: string | undefined }): boolean =>
  accept.length <= acceptCharactersMax && namesPages.test(accept);

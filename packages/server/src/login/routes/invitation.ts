/** An invitation that the console brings along, before it sends the browser to the login page. */

import type { PageId } from '@holdfast/contract';
import { readParameters } from '../../common/requests/form-parameters.ts';
import { Refusal } from '../../common/requests/refusal.ts';
import type { HandlersOf } from '../../http/operation-request.ts';
import { neverKept } from '../../http/replies/caching.ts';
import { emptyReply } from '../../http/replies/reply.ts';
import type { Login } from '../login.ts';
import { carryInvitation } from '../session/carried-invitation.ts';

type InvitationPageId = Extract<PageId, 'keepInvitation'>;

/**
 * Returns the route that takes an invitation. Only a page of this origin may bring one: otherwise another site could have somebody join
 * an account of its choice at their next sign-in.
 */
export function invitationPages(login: Login): HandlersOf<InvitationPageId> {
  return {
    async keepInvitation(request) {
      login.requireServed(request);
      const invitation = readParameters(await login.readForm(request)).get('invitation') ?? '';
      if (!login.isSameOrigin(request)) throw new Refusal('forbidden', 'the invitation comes from another site');
      if (!/^[0-9A-Za-z]{1,64}$/.test(invitation)) throw new Refusal('validation_error', 'this is not an invitation');
      const headers = carryInvitation(login.cookies, readParameters(request.query), request.headers, invitation);
      return emptyReply(204, [...neverKept, ...headers]);
    },
  };
}

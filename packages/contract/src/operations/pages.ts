/** The pages of the hosted login. */
import type { Operation } from '../operation.ts';

/** Statuses of pages that report a fault. */
const pageErrors = {
  400: 'page',
  403: 'page',
  404: 'page',
  408: 'page',
  410: 'page',
  413: 'page',
  415: 'page',
  422: 'page',
  429: 'page',
  500: 'page',
  503: 'page',
} as const;

const loginPage = <const PageMethod extends 'GET' | 'POST', const Path extends string>(
  method: PageMethod,
  path: Path,
  summary: string,
) =>
  ({
    method,
    path,
    tag: 'Sign-in',
    summary,
    page: true,
    access: [],
    success: {
      200: { description: 'A page.', mediaType: 'text/html' },
      303: { description: 'Redirect to the next page, or back to the client.' },
    },
    codes: [],
    otherErrors: pageErrors,
  }) as const;

/** Each provider has a separate path, so a response from one is never mistaken for another's. @see RFC 9700 §4.4.2.2 */
const providerCallbackPath = '/authorize/federated/callback/{accountId}/{provider}';

export const pageOperations = {
  readLoginPage: loginPage('GET', '/authorize', 'Show the sign-in methods'),
  keepInvitation: {
    ...loginPage('POST', '/authorize/invitation', 'Keep an invitation during a sign-in'),
    success: { 204: { description: 'Kept in a cookie for the sign-in that the query names.' } },
  },
  chooseAccount: loginPage('POST', '/authorize/account', 'Choose the account to sign in to'),
  forgetSignIn: {
    ...loginPage('POST', '/authorize/sign-out', 'Forget the user signed in with this browser'),
    success: { 204: { description: 'Forgotten: the next sign-in asks again.' } },
  },
  signIn: loginPage('POST', '/authorize/sign-in', 'Sign in with a password'),
  readSignUpPage: loginPage('GET', '/authorize/sign-up', 'Show the sign-up form'),
  signUp: loginPage('POST', '/authorize/sign-up', 'Sign up'),
  readConfirmPage: loginPage('GET', '/authorize/confirm', 'Show the form for the mailed code'),
  confirmSignUp: loginPage('POST', '/authorize/confirm', 'Confirm an address by the mailed code'),
  resendCode: loginPage('POST', '/authorize/resend', 'Mail another code'),
  readForgotPage: loginPage('GET', '/authorize/forgot', 'Show the form for a forgotten password'),
  requestReset: loginPage('POST', '/authorize/forgot', 'Mail a link for a new password'),
  readResetPage: loginPage('GET', '/authorize/reset', 'Show the form for a new password'),
  resetPassword: loginPage('POST', '/authorize/reset', 'Set a new password'),
  signInWithPasskey: loginPage('POST', '/authorize/passkey', 'Sign in with a passkey'),
  registerPasskey: loginPage('POST', '/authorize/passkey/register', 'Register a passkey'),
  takeSecondStep: loginPage('POST', '/authorize/second-step', 'Finish a sign-in with a code'),
  setUpSecondStep: loginPage('POST', '/authorize/second-step/set-up', 'Set up a second factor while signing in'),
  readOwnAccountPage: loginPage('GET', '/account', 'Show your sign-in page'),
  changeOwnAccount: {
    ...loginPage('POST', '/account', 'Change your sign-in'),
    audit: 'member.remove',
  },
  signInWithProvider: loginPage('GET', '/authorize/with/{provider}', 'Go to an identity provider'),
  returnFromProvider: loginPage('GET', providerCallbackPath, 'Return from an identity provider'),
  postFromProvider: loginPage('POST', providerCallbackPath, 'Return from an identity provider by form'),
  returnFromIssuer: loginPage('GET', '/authorize/federated/callback', 'Return from the outside issuer'),
  postFromIssuer: loginPage('POST', '/authorize/federated/callback', 'Return from the outside issuer by form'),
} as const satisfies Record<string, Operation>;

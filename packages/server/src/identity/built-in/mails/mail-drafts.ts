/** Mails that wait, as data. The text is written when the mail is sent, so links are fresh and no useless code is sent. */
import { shortened } from '@holdfast/json';
import { hashSecret, randomSecret } from '../../../common/secrets/secret-text.ts';
import { carriesAddress } from '../../../common/text/shown-text.ts';
import type { ProjectKey } from '../../../storage/contract/projects.ts';
import type { Store } from '../../../storage/store.ts';
import type { Language } from '../directory.ts';
import { composeMail } from './texts/compose.ts';
import { type MailBrand, serviceBrand } from './texts/mail-brand.ts';
import type { Mail } from './texts/mail-text.ts';

export type MailDraft = CodeDraft | LinkDraft | InvitationDraft;

interface CodeDraft {
  readonly kind: 'code';
  readonly language: Language;
  readonly brandName: string | null;
  /** The project whose look the mail has; absent for developers. */
  readonly project?: ProjectKey | undefined;
  readonly to: string;
  readonly code: string;
}

/** To a user, with a link that sets a new password: requested, or sent because somebody signs up with the user's address. */
interface LinkDraft {
  readonly kind: 'reset' | 'known';
  readonly language: Language;
  readonly brandName: string | null;
  readonly project?: ProjectKey | undefined;
  readonly accountId: string | null;
  readonly userId: string;
  readonly returnQuery: string;
}

interface InvitationDraft {
  readonly kind: 'invitation';
  readonly language: Language;
  readonly to: string;
  readonly link: string;
}

export interface MailRendererOptions {
  readonly store: Pick<Store, 'findSignUp' | 'findUser' | 'addPasswordReset' | 'findInvitation'>;
  /** The look of a project's mails now; undefined if the project is gone. */
  readonly brandOf: (project: ProjectKey) => Promise<MailBrand | undefined>;
  /** The address of the login page, without `/authorize`. */
  readonly authFrontUrl: () => string;
  readonly now: () => number;
}

/** Returns the mail of a draft, or undefined if it is no longer needed. `mailHash` is the hash of its secret. */
export type RenderMail = (draft: MailDraft, mailHash: Uint8Array) => Promise<Mail | undefined>;

const resetMinutes = 30;

/** Returns the renderer of drafts. It throws `StoreUnavailable` only. */
export function createMailRenderer({ store, brandOf, authFrontUrl, now }: MailRendererOptions): RenderMail {
  const lookOf = async (project: ProjectKey | undefined) => (project && (await brandOf(project))) ?? serviceBrand;

  async function writeLink({ kind, language, brandName, project, accountId, userId, returnQuery }: LinkDraft) {
    const user = await store.findUser(accountId, userId);
    if (user === undefined || user.email === null) return undefined;
    const secret = randomSecret();
    const expiresAt = now() + resetMinutes * 60_000;
    const reset = { accountId, userId, returnQuery, expiresAt };
    if ((await store.addPasswordReset(hashSecret(secret), reset)) === 'no_user') return undefined;
    const link = `${authFrontUrl()}/authorize/reset?token=${secret}`;
    return composeMail(language, user.email, (texts) => texts[kind](brandName, link), await lookOf(project));
  }

  return async (draft, mailHash) => {
    switch (draft.kind) {
      case 'code': {
        const { language, brandName, project, to, code } = draft;
        if ((await store.findSignUp(mailHash, now())) === undefined) return undefined;
        const brand = await lookOf(project);
        return composeMail(language, to, (texts) => texts.code(brandName, code, brand.texts?.subject), brand);
      }
      case 'invitation': {
        const { language, to, link } = draft;
        const found = await store.findInvitation(mailHash, now());
        if (found === undefined) return undefined;
        const names = { inviter: shownName(found.invitation.inviter), account: shownName(found.account.name) };
        return composeMail(language, to, (texts) => texts.invitation(names, link));
      }
      default:
        return writeLink(draft);
    }
  };
}

/** Longer names are cut, so that a name cannot carry a message. */
const nameCharactersMax = 60;

/** Returns a name as a mail may show it; null if there is none, or if it could lead readers elsewhere. */
export function shownName(name: string | null): string | null {
  const shown = name?.trim() ?? '';
  if (shown === '' || carriesAddress(shown)) return null;
  return shortened(shown, nameCharactersMax);
}

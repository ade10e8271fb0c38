import { ownPassword, resetLinkCreate, resetPassword, resetPasswordRequest } from '../../contract/passwords.ts';
import type { BodyOf, ReplyOf } from '../../contract/route.ts';
import type { MailLanguage } from '../../contract/sign-in.ts';
import type { Call } from './call.ts';

/** Returns the target of reset links. */
export const newPasswordPage = (origin: string): string => `${origin}/authorization/newpassword`;

/** Creates the calls about reset links and the own password. Each throws ServiceError. */
export const createPasswords = (origin: string, call: Call) => ({
  requestReset: async (email: string, language: MailLanguage): Promise<void> => {
    await call(resetPasswordRequest, { body: { email, language, redirectUrl: newPasswordPage(origin) } });
  },
  createLink: (id: string, language: MailLanguage): Promise<ReplyOf<typeof resetLinkCreate>> =>
    call(resetLinkCreate, { body: { id, language, redirectUrl: newPasswordPage(origin) } }),
  reset: async (body: BodyOf<typeof resetPassword>): Promise<void> => {
    await call(resetPassword, { body });
  },
  changeOwn: async (body: BodyOf<typeof ownPassword>): Promise<void> => {
    await call(ownPassword, { body });
  },
});

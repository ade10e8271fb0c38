import { resetPassword, resetPasswordRequest } from '../../contract/passwords.ts';
import type { BodyOf } from '../../contract/route.ts';
import type { MailLanguage } from '../../contract/sign-in.ts';
import type { Call } from './call.ts';

/** Target of the link in the e-mail. */
const newPasswordPath = '/authorization/newpassword';

/** Creates the password calls that need no sign-in. Each throws ServiceError. */
export const createPasswords = (origin: string, call: Call) => ({
  requestReset: async (email: string, language: MailLanguage): Promise<void> => {
    await call(resetPasswordRequest, { body: { email, language, redirectUrl: `${origin}${newPasswordPath}` } });
  },
  reset: async (body: BodyOf<typeof resetPassword>): Promise<void> => {
    await call(resetPassword, { body });
  },
});

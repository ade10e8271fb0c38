import { resetPassword, resetPasswordRequest } from '../../contract/passwords.ts';
import type { BodyOf } from '../../contract/route.ts';
import type { LanguageOfLetters } from '../../contract/sign-in.ts';
import type { Call } from './call.ts';

/** The page to which the link of the letter leads. */
const newPasswordPath = '/authorization/newpassword';

/** Passwords of people who are not signed in. Each call throws ServiceError. */
export const createPasswords = (origin: string, call: Call) => ({
  requestReset: async (email: string, language: LanguageOfLetters): Promise<void> => {
    await call(resetPasswordRequest, { body: { email, language, redirectUrl: `${origin}${newPasswordPath}` } });
  },
  reset: async (body: BodyOf<typeof resetPassword>): Promise<void> => {
    await call(resetPassword, { body });
  },
});

import {
  interactionAbort,
  interactionAccount,
  interactionCode,
  interactionGet,
  interactionPassword,
  smsRequest,
  smsVerify,
} from '../../contract/interactions.ts';
import type { MailLanguage } from '../../contract/sign-in.ts';
import type { Call } from './call.ts';

/** Creates the calls of an authorization request, identified by `uid`. Each throws ServiceError. */
export const createInteractions = (call: Call) => ({
  details: (uid: string) => call(interactionGet, { params: { uid } }),
  password: (uid: string, username: string, password: string) =>
    call(interactionPassword, { params: { uid }, body: { username, password } }),
  /** Accepts a code of the authenticator or a recovery code, after the outcome `code-needed`. */
  verifyTwoFactorCode: (uid: string, code: string) => call(interactionCode, { params: { uid }, body: { code } }),
  /** After the outcome `choose-account`. */
  account: (uid: string, id: string) => call(interactionAccount, { params: { uid }, body: { id } }),
  /** Aborts the request; the reply names the address to return to. */
  abort: (uid: string) => call(interactionAbort, { params: { uid }, body: {} }),
  requestSms: (uid: string, email: string, language: MailLanguage) =>
    call(smsRequest, { params: { uid }, body: { email, language } }),
  verifySms: (uid: string, code: string) => call(smsVerify, { params: { uid }, body: { code } }),
});
export type Interactions = ReturnType<typeof createInteractions>;

import {
  interactionAbort,
  interactionAccount,
  interactionCode,
  interactionGet,
  interactionPasskey,
  interactionPasskeyOptions,
  interactionPassword,
  smsRequest,
  smsVerify,
} from '../../contract/interactions.ts';
import type { MailLanguage } from '../../contract/sign-in.ts';
import type { Call } from './call.ts';
import type { PasskeyCalls } from './passkey-calls.ts';

/** Creates the calls of an authorization request, identified by `uid`. Each throws ServiceError. */
export const createInteractions = (call: Call, passkeyCalls: () => Promise<Pick<PasskeyCalls, 'askForPasskey'>>) => ({
  details: (uid: string) => call(interactionGet, { params: { uid } }),
  password: (uid: string, username: string, password: string) =>
    call(interactionPassword, { params: { uid }, body: { username, password } }),
  /** Accepts a code of the authenticator or a recovery code, after the outcome `code-needed`. */
  verifyTwoFactorCode: (uid: string, code: string) => call(interactionCode, { params: { uid }, body: { code } }),
  /** Asks for a passkey, also after the outcome `code-needed`. */
  passkey: async (uid: string) => {
    const { askForPasskey } = await passkeyCalls();
    const response = await askForPasskey(await call(interactionPasskeyOptions, { params: { uid }, body: {} }));
    return call(interactionPasskey, { params: { uid }, body: { response } });
  },
  /** After the outcome `choose-account`. */
  account: (uid: string, id: string) => call(interactionAccount, { params: { uid }, body: { id } }),
  /** Aborts the request; the reply names the address to return to. */
  abort: (uid: string) => call(interactionAbort, { params: { uid }, body: {} }),
  requestSms: (uid: string, email: string, language: MailLanguage) =>
    call(smsRequest, { params: { uid }, body: { email, language } }),
  verifySms: (uid: string, code: string) => call(smsVerify, { params: { uid }, body: { code } }),
});
export type Interactions = ReturnType<typeof createInteractions>;

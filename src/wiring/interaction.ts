import type { MailLanguage } from '../../contract/sign-in.ts';
import { interactionMachine } from '../machines/interaction/interaction.machine.ts';
import type { Identification } from '../machines/interaction/interaction.setup.ts';
import { fillPort } from '../machines/port.ts';
import type { Interactions } from '../services/interactions.ts';

/** Fills the ports of an authorization request. */
export const wiredInteraction = (interactions: Interactions) =>
  interactionMachine.provide({
    actors: {
      loadDetails: fillPort(({ uid }: { uid: string }) => interactions.details(uid)),
      identify: fillPort(({ uid, identification }: { uid: string; identification: Identification }) => {
        switch (identification.kind) {
          case 'password':
            return interactions.password(uid, identification.email, identification.password);
          case 'sms-code':
            return interactions.verifySms(uid, identification.code);
          case 'code':
            return interactions.verifyTwoFactorCode(uid, identification.code);
          case 'passkey':
            return interactions.passkey(uid);
          case 'account':
            return interactions.account(uid, identification.id);
        }
      }),
      requestSms: fillPort(async ({ uid, email, language }: { uid: string; email: string; language: MailLanguage }) => {
        const { goodForSeconds, againInSeconds } = await interactions.requestSms(uid, email, language);
        return { email, goodForSeconds, againAt: Date.now() + againInSeconds * 1000 };
      }),
      abort: fillPort(({ uid }: { uid: string }) => interactions.abort(uid)),
    },
  });

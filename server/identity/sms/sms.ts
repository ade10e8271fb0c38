import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Kysely } from 'kysely';
import { smsRequest, smsVerify } from '../../../contract/interactions.ts';
import type { Schema } from '../../db/schema.ts';
import { accountByEmail, accountById } from '../../db/stores/account-store.ts';
import { countCode, forgetCodes, putCode, takeCode } from '../../db/stores/sms-codes.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import { bindOpen } from '../../route-binding.ts';
import { clientAddress } from '../../web/client-address.ts';
import { networkOf } from '../../web/network-of.ts';
import type { IdentityLog } from '../identity-log.ts';
import type { Interactions } from '../interactions.ts';
import type { Methods } from '../methods.ts';
import { codeMessage } from './code-message.ts';
import { sendMessage } from './gateway.ts';
import { isTestGateway, type SmsSettings } from './sms-settings.ts';
import { telephoneOf } from './telephone.ts';

export interface SmsDependencies {
  readonly db: Kysely<Schema>;
  /** Null: the method is disabled and its routes answer `method-not-offered`. */
  readonly settings: SmsSettings | null;
  readonly interactions: Interactions;
  readonly log: IdentityLog;
  /** Public URL of the archive. */
  readonly issuer: string;
  readonly checkReplies: boolean;
}

const goodForSeconds = 300;
const againInSeconds = 60;
const maxTries = 5;
/** How long a closing server waits for messages being sent. */
const maxFarewellMs = 3_000;

/**
 * Resolves after the reply was sent (or its connection closed) and a random delay, so that the next request on the connection is not slowed down
 * measurably.
 */
const afterReply = async (reply: FastifyReply): Promise<void> => {
  if (!reply.raw.writableFinished && !reply.raw.destroyed)
    await Promise.race([once(reply.raw, 'finish'), once(reply.raw, 'close')]);
  await pause(randomInt(100, 500));
};

/** Sign-in with a code by text message, a single factor. */
export const smsCode = (deps: SmsDependencies): Methods => {
  const { db, settings, interactions, checkReplies } = deps;
  const host = new URL(deps.issuer).hostname;
  const sending = new Set<Promise<void>>();

  const offered = (): SmsSettings => {
    if (!settings) throw new ProblemError('method-not-offered');
    return settings;
  };

  const routes = (server: FastifyInstance): void => {
    bindOpen(server, { checkReplies }, smsRequest, async ({ request, reply, body }) => {
      const gateway = offered();
      const { uid } = await interactions.current(request, reply);
      if (!(await countCode(db, body.email, networkOf(clientAddress(request)))))
        throw new ProblemError('too-many-requests');
      const account = await accountByEmail(db, body.email);
      const telephone = account?.isActive ? telephoneOf(account.telephone ?? '') : null;
      const code = String(randomInt(1_000_000)).padStart(6, '0');
      // Same rows and same time, whether or not the account exists.
      const accountId = telephone === null ? null : (account?.id ?? null);
      await putCode(db, uid, { code, accountId, name: body.email, goodForSeconds });
      if (telephone !== null) {
        const message = codeMessage(body.language, code, goodForSeconds / 60, host);
        const sent = afterReply(reply)
          .then(() => sendMessage(gateway, telephone, message))
          .catch((error: unknown) => server.log.error({ err: error }, 'a code by text message was not sent'))
          .finally(() => sending.delete(sent));
        sending.add(sent);
      }
      return { goodForSeconds, againInSeconds };
    });

    bindOpen(server, { checkReplies }, smsVerify, async ({ request, reply, body }) => {
      offered();
      const { uid } = await interactions.current(request, reply);
      const taken = await takeCode(db, uid, body.code.replace(/\s/g, ''), maxTries);
      const account = taken && (await accountById(db, taken.accountId));
      if (!taken?.isRight || !account) {
        if (account)
          await deps.log.note({
            action: 'sign-in.refused',
            method: 'sms',
            account,
            detail: 'incorrect-code',
            address: clientAddress(request),
          });
        throw new ProblemError('incorrect-code');
      }
      await forgetCodes(db, taken.name);
      return interactions.proved(request, reply, { accounts: [account], method: 'sms', amr: ['sms'], strong: false });
    });

    server.addHook('onClose', async () => {
      await Promise.race([Promise.all(sending), pause(maxFarewellMs, undefined, { ref: false })]);
    });
  };

  return {
    offered: async () => (settings ? [{ method: 'sms', label: null, test: isTestGateway(settings) }] : []),
    routes,
  };
};

import type { Kysely } from 'kysely';
import { type Context, errors } from 'oidc-provider';
import type { Schema } from '../../db/schema.ts';
import {
  hasServiceSecret,
  isActive,
  type ServiceAccountRow,
  serviceAccountById,
} from '../../db/stores/service-accounts.ts';
import type { FailureReason } from '../../domain/sign-in-failure.ts';
import type { Attempts } from '../attempts.ts';
import type { IdentityLog } from '../identity-log.ts';
import { serviceGrantType } from './service-client.ts';

interface ServiceSecretOptions {
  readonly db: Kysely<Schema>;
  readonly attempts: Attempts;
  readonly log: IdentityLog;
  readonly addressOf: (request: Context['req']) => string;
}

export interface ServiceSecrets {
  /** Returns whether the account may have a token: its secret is right, and it is neither revoked nor expired. Limited and logged like sign-ins. */
  accepts(ctx: Context, id: string, secret: string): Promise<boolean>;
  /** Limits and logs requests of service accounts that do not exist. */
  noteUnknown(ctx: Context, next: () => Promise<void>): Promise<void>;
}

const tooMany = 429;
/** Of a reply that rejects the client: to a program, or to a browser by an error page. */
const rejections: readonly number[] = [401, 303];

/** Reply of RFC 6749 section 5.2; the description is a problem code. */
const tooManyRequests = () => Object.assign(new errors.InvalidClient('too-many-requests'), { statusCode: tooMany });

/** Checks the secrets of service accounts. */
export const serviceSecretsOf = ({ db, attempts, log, addressOf }: ServiceSecretOptions): ServiceSecrets => {
  /** An account of several clinics is in the log of each. */
  const noteRefused = async (account: ServiceAccountRow | null, detail: FailureReason, address: string) => {
    const clinics = account?.clinics.length ? account.clinics : [null];
    for (const customer of clinics)
      await log.note({
        action: 'sign-in.refused',
        method: 'service',
        account: account && { id: account.id, customer },
        detail,
        address,
      });
  };
  return {
    accepts: async (ctx, id, secret) => {
      const address = addressOf(ctx.req);
      const attempt = await attempts.beginService(id, address);
      if (!attempt) throw tooManyRequests();
      const account = (await serviceAccountById(db, id)) ?? null;
      if (!account || !(await hasServiceSecret(db, id, secret))) {
        await noteRefused(account, 'incorrect-secret', address);
        return false;
      }
      await attempt.undo();
      if (isActive(account)) return true;
      await noteRefused(account, 'service-ended', address);
      return false;
    },
    noteUnknown: async (ctx, next) => {
      await next();
      const isRequest = ctx.oidc?.route === 'token' && ctx.oidc.params?.grant_type === serviceGrantType;
      if (!isRequest || !rejections.includes(ctx.status) || ctx.oidc.client) return;
      const address = addressOf(ctx.req);
      if (await attempts.beginService('', address)) return noteRefused(null, 'incorrect-secret', address);
      ctx.status = tooMany;
      ctx.body = { error: 'invalid_client', error_description: 'too-many-requests' };
    },
  };
};

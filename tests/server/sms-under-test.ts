import type { Kysely } from 'kysely';
import type { Schema } from '../../server/db/schema.ts';
import { identityLog } from '../../server/identity/identity-log.ts';
import { smsCode } from '../../server/identity/sms/sms.ts';
import { readSmsSettings } from '../../server/identity/sms/sms-settings.ts';
import { type SignInNode, signInNode } from './sign-in-under-test.ts';

/** Starts the sign-in pages with codes by text message. */
export const smsNode = (db: Kysely<Schema>, environment: Readonly<Record<string, string>>): Promise<SignInNode> =>
  signInNode((interactions) =>
    smsCode({
      db,
      settings: readSmsSettings(environment),
      interactions,
      log: identityLog(db),
      issuer: 'https://archive.example:8443',
      checkReplies: true,
    }),
  );

/** A request that takes the stand-in gateway down or up. @param calls number of requests that fail before it recovers */
export const away = (isAway: boolean, calls = 0) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ away: isAway, calls }),
});

import type { Kysely } from 'kysely';
import type { AccessAction } from '../../contract/access-log.ts';
import type { Schema } from '../db/schema.ts';
import { insertAccesses } from '../db/stores/access-log.ts';

interface Entry {
  readonly action: AccessAction;
  readonly account: { readonly id: string; readonly customer: { readonly id: string } | null } | null;
  /** Id of the person, clinic or role that was changed. */
  readonly objectId?: string;
  /** Method of a sign-in, code of a refusal, who or what was changed. Never a secret, never the name that somebody typed. */
  readonly detail?: string;
}

export interface IdentityLog {
  /** Resolves when the entry is committed. */
  note(entry: Entry): Promise<void>;
}

/** Sign-ins and what changes how one signs in, in the log that is never rewritten. */
export const identityLog = (db: Kysely<Schema>): IdentityLog => ({
  note: ({ action, account, objectId, detail }) =>
    insertAccesses(db, [
      {
        accountId: account?.id ?? null,
        customerId: account?.customer?.id ?? null,
        patientId: null,
        objectId: objectId ?? null,
        action,
        detail: detail ?? null,
        at: new Date(),
      },
    ]),
});

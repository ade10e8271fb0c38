import type { Kysely } from 'kysely';
import type { AccessAction } from '../../contract/access-log.ts';
import type { SignInMethod } from '../../contract/sign-in.ts';
import type { Schema } from '../db/schema.ts';
import { insertAccesses } from '../db/stores/access-log.ts';
import {
  type FailedMethod,
  type FailureReason,
  noSignInListener,
  type SignInListener,
} from '../domain/sign-in-failure.ts';

interface EntryFacts {
  readonly account: { readonly id: string; readonly customer: { readonly id: string } | null } | null;
  /** Id of the user, clinic or role that was changed. */
  readonly objectId?: string;
}

export type OtherAction = Exclude<AccessAction, 'sign-in' | 'sign-in.refused'>;

interface OtherEntry extends EntryFacts {
  readonly action: OtherAction;
  /** The changed object. Never a secret or the name that was entered. */
  readonly detail?: string;
}

interface FailedSignIn extends EntryFacts {
  readonly action: 'sign-in.refused';
  readonly method: FailedMethod;
  readonly detail: FailureReason;
  /** Client address as reported by trusted proxies. */
  readonly address: string;
}

interface SignIn extends EntryFacts {
  readonly action: 'sign-in';
  readonly detail: SignInMethod;
  readonly address: string;
}

type Entry = OtherEntry | SignIn | FailedSignIn;

export interface IdentityLog {
  /** Resolves when the entry is committed. */
  note(entry: Entry): Promise<void>;
  /** The same for an action of the command line, which has no account. `customerId`: the clinic whose log shows it. */
  noteOfOperator(entry: Omit<OtherEntry, 'account'> & { readonly customerId?: string | null }): Promise<void>;
}

/** Creates the log of sign-ins and account changes, part of the append-only access log. */
export const identityLog = (db: Kysely<Schema>, listener: SignInListener = noSignInListener): IdentityLog => {
  const insert = (
    { action, objectId, detail, ...more }: Omit<OtherEntry, 'account'> | Omit<SignIn | FailedSignIn, 'account'>,
    accountId?: string,
    customerId?: string | null,
  ) =>
    insertAccesses(db, [
      {
        accountId: accountId ?? null,
        customerId: customerId ?? null,
        patientId: null,
        objectId: objectId ?? null,
        action,
        detail: detail ?? null,
        address: 'address' in more ? more.address : null,
        at: new Date(),
      },
    ]);
  return {
    note: async (entry) => {
      const { account } = entry;
      await insert(entry, account?.id, account?.customer?.id);
      if (entry.action === 'sign-in.refused') listener.failed(entry.method, entry.detail);
    },
    noteOfOperator: ({ customerId, ...entry }) => insert(entry, undefined, customerId),
  };
};

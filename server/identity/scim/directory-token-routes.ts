import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import {
  type directoryToken,
  directoryTokenCreate,
  directoryTokenRevoke,
  directoryTokens,
  directoryTokensAtMost,
} from '../../../contract/directory.ts';
import { mailLanguage } from '../../../contract/sign-in.ts';
import type { Schema } from '../../db/schema.ts';
import {
  type DirectoryTokenRow,
  directoryTokensOf,
  insertDirectoryToken,
  lockDirectory,
  removeDirectoryToken,
} from '../../db/stores/directory-store.ts';
import type { Principal } from '../../domain/policy/principal.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import { type Binding, bind } from '../../route-binding.ts';
import { requireClinic } from '../customer-changes.ts';
import { ensureAdministrator } from '../ensure-administrator.ts';
import { identityLog, type OtherAction } from '../identity-log.ts';

const tokenOf = (row: DirectoryTokenRow): z.output<typeof directoryToken> => ({
  id: row.id,
  name: row.name,
  invitesIn: mailLanguage.nullable().catch(null).parse(row.invitesIn),
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
  usedAt: row.usedAt?.toISOString() ?? null,
});

/** Registers the routes by which clinic administrators make and revoke the tokens of their directory. */
export const directoryTokenRoutes = (
  server: FastifyInstance,
  { db, binding }: { readonly db: Kysely<Schema>; readonly binding: Binding },
): void => {
  const note = (
    transaction: Kysely<Schema>,
    { accountId }: Principal,
    action: OtherAction,
    { id, customerId, name }: { readonly id: string; readonly customerId: string; readonly name: string },
  ) =>
    identityLog(transaction).note({
      action,
      account: { id: accountId, customer: { id: customerId } },
      objectId: id,
      detail: name,
    });

  bind(server, binding, directoryTokens, async ({ principal, params: { customerId } }) => {
    await requireClinic(db, principal, customerId);
    return { tokens: (await directoryTokensOf(db, customerId)).map(tokenOf) };
  });

  bind(server, binding, directoryTokenCreate, async ({ principal, body }) => {
    const { customerId } = body;
    await requireClinic(db, principal, customerId);
    return db.transaction().execute(async (transaction) => {
      // A directory acts as a clinic administrator.
      await ensureAdministrator(transaction, principal);
      await lockDirectory(transaction, customerId);
      if ((await directoryTokensOf(transaction, customerId)).length >= directoryTokensAtMost)
        throw new ProblemError('invalid-request', [{ fieldKey: 'tokens', vars: { max: directoryTokensAtMost } }]);
      const secret = `dentarium_scim_${randomBytes(32).toString('base64url')}`;
      const id = await insertDirectoryToken(transaction, { ...body, secret, createdBy: principal.accountId });
      await note(transaction, principal, 'directory-token.created', { ...body, id });
      const made = (await directoryTokensOf(transaction, customerId)).find((one) => one.id === id);
      if (!made) throw new ProblemError('not-found');
      return { token: tokenOf(made), secret };
    });
  });

  bind(server, binding, directoryTokenRevoke, async ({ principal, body: { customerId, id } }) => {
    await requireClinic(db, principal, customerId);
    await db.transaction().execute(async (transaction) => {
      const name = await removeDirectoryToken(transaction, { id, customerId });
      if (name === undefined) throw new ProblemError('not-found');
      await note(transaction, principal, 'directory-token.revoked', { id, customerId, name });
    });
    return {};
  });
};

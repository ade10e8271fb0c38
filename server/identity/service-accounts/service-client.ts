import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { uuid } from '../../../contract/bounds.ts';
import type { Schema } from '../../db/schema.ts';
import { serviceAccountById } from '../../db/stores/service-accounts.ts';

/** The grant of service accounts, and of no other client. */
export const serviceGrantType = 'client_credentials';

// The provider requires one; `service-secret.ts` compares with the stored hash instead.
const placeholder = randomBytes(32).toString('base64url');

const unused = (): never => {
  throw new Error('clients are not written by the provider');
};
const none = async () => undefined;

/** Gives the provider the service accounts as clients; those of the configuration and the browser's own do not come from here. */
export const serviceClients = (db: Kysely<Schema>): Adapter => ({
  find: async (id): Promise<AdapterPayload | undefined> => {
    const parsed = uuid.safeParse(id);
    const account = parsed.success ? await serviceAccountById(db, parsed.data) : undefined;
    return (
      account && {
        client_id: account.id,
        client_name: account.name,
        client_secret: placeholder,
        token_endpoint_auth_method: 'client_secret_basic',
        grant_types: [serviceGrantType],
        response_types: [],
        redirect_uris: [],
        scope: account.scopes.join(' '),
      }
    );
  },
  findByUid: none,
  findByUserCode: none,
  upsert: unused,
  consume: unused,
  destroy: unused,
  revokeByGrantId: unused,
});

import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { ClientError } from 'openid-client';
import { type AzureSettings, azureDelete, azureGet, azureSave, azureSettings } from '../../contract/configuration.ts';
import type { Schema } from '../db/schema.ts';
import { deleteSetting, readSetting, saveSetting } from '../db/stores/setting-store.ts';
import type { Principal } from '../policy/principal.ts';
import { Refusal } from '../refusal.ts';
import { type Binding, bind } from '../route-binding.ts';
import type { IdentityLog } from './identity-log.ts';
import { azureIssuer } from './upstream/azure.ts';
import { askProvider } from './upstream/discovery.ts';
import { azureSettingName } from './upstream/upstreams.ts';

export interface ConfigurationDependencies {
  readonly db: Kysely<Schema>;
  readonly binding: Binding;
  readonly log: IdentityLog;
  /** Base address of Azure AD. */
  readonly azureAuthority: string;
}

/** Azure AD answered that it has no such directory, or the one that it has goes by another name. */
const isUnknown = (error: unknown): boolean => {
  if (error instanceof Refusal) return true;
  if (!(error instanceof ClientError)) return false;
  const { cause, code } = error;
  return (
    code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED' ||
    (cause instanceof Response && [400, 404].includes(cause.status))
  );
};

/**
 * A directory that there is describes itself. Nothing is saved that was not seen to exist: a wrong directory would be a way to sign in that
 * leads nowhere, or to strangers.
 * @throws Refusal of the field tenantId; 'method-away' when Azure AD cannot be reached from here, without which nobody could sign in anyway
 */
const ensureDirectory = async (authority: string, tenantId: string): Promise<void> => {
  try {
    await askProvider(azureIssuer(authority, tenantId));
  } catch (error) {
    throw isUnknown(error) ? new Refusal('invalid-request', [{ fieldKey: 'tenantId' }]) : new Refusal('method-away');
  }
};

/** What administrators set while the archive runs. A change counts from the next call on, on every node. */
export const configurationRoutes = (server: FastifyInstance, deps: ConfigurationDependencies): void => {
  const { db, binding, log, azureAuthority } = deps;

  const note = ({ accountId, customerId }: Principal) =>
    log.note({
      action: 'settings.changed',
      account: { id: accountId, customer: customerId === null ? null : { id: customerId } },
      detail: azureSettingName,
    });

  bind(server, binding, azureGet, async () => {
    const saved = azureSettings.safeParse(await readSetting(db, azureSettingName));
    return saved.success ? saved.data : null;
  });

  bind(server, binding, azureSave, async ({ principal, body }) => {
    const wanted: AzureSettings = { clientId: body.clientId.toLowerCase(), tenantId: body.tenantId.toLowerCase() };
    await ensureDirectory(azureAuthority, wanted.tenantId);
    await saveSetting(db, azureSettingName, wanted, principal.accountId);
    await note(principal);
    return wanted;
  });

  bind(server, binding, azureDelete, async ({ principal }) => {
    await deleteSetting(db, azureSettingName);
    await note(principal);
    return {};
  });
};

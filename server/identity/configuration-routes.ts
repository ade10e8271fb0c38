import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { ClientError } from 'openid-client';
import { type AzureSettings, azureDelete, azureGet, azureSave, azureSettings } from '../../contract/configuration.ts';
import type { Schema } from '../db/schema.ts';
import { deleteSetting, readSetting, saveSetting } from '../db/stores/setting-store.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { type Binding, bind } from '../route-binding.ts';
import type { IdentityLog } from './identity-log.ts';
import { azureIssuer } from './upstream/azure.ts';
import { fetchMetadata } from './upstream/discovery.ts';
import { azureSettingName } from './upstream/upstreams.ts';

export interface ConfigurationDependencies {
  readonly db: Kysely<Schema>;
  readonly binding: Binding;
  readonly log: IdentityLog;
  /** Base address of Azure AD. */
  readonly azureAuthority: string;
}

/** Returns whether Azure AD answered that the directory does not exist or has another name. */
const isUnknown = (error: unknown): boolean => {
  if (error instanceof ProblemError) return true;
  if (!(error instanceof ClientError)) return false;
  const { cause, code } = error;
  return (
    code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED' ||
    (cause instanceof Response && [400, 404].includes(cause.status))
  );
};

/**
 * Verifies that the directory exists before its id is saved: a wrong one would break sign-in or let strangers in.
 * @throws ProblemError with the field tenantId; 'method-away' when Azure AD is unreachable
 */
const ensureDirectory = async (authority: string, tenantId: string): Promise<void> => {
  try {
    await fetchMetadata(azureIssuer(authority, tenantId));
  } catch (error) {
    throw isUnknown(error)
      ? new ProblemError('invalid-request', [{ fieldKey: 'tenantId' }])
      : new ProblemError('method-away');
  }
};

/** Routes of the settings that administrators change at runtime. Changes apply to the next request, on every node. */
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
    const changed: AzureSettings = { clientId: body.clientId.toLowerCase(), tenantId: body.tenantId.toLowerCase() };
    await ensureDirectory(azureAuthority, changed.tenantId);
    await saveSetting(db, azureSettingName, changed, principal.accountId);
    await note(principal);
    return changed;
  });

  bind(server, binding, azureDelete, async ({ principal }) => {
    await deleteSetting(db, azureSettingName);
    await note(principal);
    return {};
  });
};

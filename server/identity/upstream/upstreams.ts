import type { Kysely } from 'kysely';
import { azureSettings } from '../../../contract/configuration.ts';
import { type OfferedMethod, type UpstreamMethod, upstreamMethods } from '../../../contract/sign-in.ts';
import type { Schema } from '../../db/schema.ts';
import { readSetting } from '../../db/stores/setting-store.ts';
import { isLoopback } from '../../loopback.ts';
import { azureUpstream } from './azure.ts';
import { ownProvider } from './own-provider.ts';
import { sithsUpstream } from './siths.ts';
import type { Upstream } from './upstream.ts';
import type { UpstreamSettings } from './upstream-settings.ts';

/** Setting name of the Azure AD configuration. */
export const azureSettingName = 'azure-ad';

export interface Upstreams {
  /** Returns the current configuration; administrators' changes apply to the next call. Null: disabled. */
  find(method: UpstreamMethod): Promise<Upstream | null>;
  offered(): Promise<readonly OfferedMethod[]>;
}

/** Creates the registry of external providers of this installation. */
export const openUpstreams = (db: Kysely<Schema>, settings: UpstreamSettings): Upstreams => {
  const find = async (method: UpstreamMethod): Promise<Upstream | null> => {
    if (method === 'siths') return settings.siths && sithsUpstream(settings.siths);
    if (method === 'openid') return settings.openid && ownProvider(settings.openid);
    const saved = azureSettings.safeParse(await readSetting(db, azureSettingName));
    return saved.success ? azureUpstream(settings, saved.data) : null;
  };
  return {
    find,
    offered: async () => {
      const found = await Promise.all(upstreamMethods.map(find));
      return found.flatMap((one) =>
        one ? [{ method: one.method, label: one.label, test: isLoopback(one.issuer) }] : [],
      );
    },
  };
};

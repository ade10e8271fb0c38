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

/** Under which name an administrator's settings of Azure AD are kept. */
export const azureSettingName = 'azure-ad';

export interface Upstreams {
  /** As it is set up now: what an administrator changes counts from the next call on. Null: not offered. */
  find(method: UpstreamMethod): Promise<Upstream | null>;
  offered(): Promise<readonly OfferedMethod[]>;
}

/** The providers elsewhere that this installation knows. */
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

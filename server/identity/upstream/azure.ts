import { None } from 'openid-client';
import type { AzureSettings } from '../../../contract/configuration.ts';
import { accountsByAzureUsername } from '../../db/stores/account-store.ts';
import { Refusal } from '../../refusal.ts';
import { isMultiFactor } from './strength.ts';
import { bySecret, type Claims, textOf, type Upstream } from './upstream.ts';
import type { UpstreamSettings } from './upstream-settings.ts';

/** Where the directory of a tenant describes itself. */
export const azureIssuer = (authority: string, tenantId: string): string => `${authority}/${tenantId}/v2.0`;

/** A guest signs in at home; the directory only passes on what that home says of them, the user name too (`idp`, Microsoft's claims reference). */
const isGuest = (claims: Claims, tenantId: string): boolean => {
  const home = textOf(claims, 'idp');
  return home !== undefined && !home.toLowerCase().includes(tenantId);
};

/**
 * Microsoft Entra ID (Azure AD). A person is found by the user name that the directory gave them, and never by e-mail: whoever administers
 * any directory can write anybody's address into the `email` claim, unverified.
 */
export const azureUpstream = (settings: UpstreamSettings, saved: AzureSettings): Upstream => {
  const tenantId = saved.tenantId.toLowerCase();
  const secret = settings.azureClientSecret;
  const usernames = (claims: Claims) =>
    ['upn', 'preferred_username'].map((name) => textOf(claims, name)).filter((text) => text !== undefined);
  return {
    method: 'aad',
    issuer: azureIssuer(settings.azureAuthority, tenantId),
    clientId: saved.clientId,
    authentication: async (metadata) => (secret === null ? None() : bySecret(secret, metadata)),
    scope: 'openid profile',
    label: null,
    // What the token of the directory does not say is not asked for elsewhere: userinfo knows no tenant.
    names: () => true,
    accountsOf: async (db, claims) => {
      if (textOf(claims, 'tid')?.toLowerCase() !== tenantId) throw new Refusal('sign-in-not-verified');
      if (isGuest(claims, tenantId)) return [];
      for (const username of usernames(claims)) {
        const accounts = await accountsByAzureUsername(db, username);
        if (accounts.length > 0) return accounts;
      }
      return [];
    },
    isStrong: isMultiFactor,
  };
};

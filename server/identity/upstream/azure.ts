import { None } from 'openid-client';
import type { AzureSettings } from '../../../contract/configuration.ts';
import { accountsByAzureUsername } from '../../db/stores/account-store.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import { isMultiFactor } from './strength.ts';
import { bySecret, type Claims, textOf, type Upstream } from './upstream.ts';
import type { UpstreamSettings } from './upstream-settings.ts';

/** Returns the issuer URL of a tenant. */
export const azureIssuer = (authority: string, tenantId: string): string => `${authority}/${tenantId}/v2.0`;

/** Guests sign in at their home directory, and their user name is only passed on (`idp`, Microsoft's claims reference), so they are not accepted. */
const isGuest = (claims: Claims, tenantId: string): boolean => {
  const home = textOf(claims, 'idp');
  return home !== undefined && !home.toLowerCase().includes(tenantId);
};

/**
 * Microsoft Entra ID (Azure AD). Users are matched by the user name of the directory, never by e-mail: administrators of any directory can put any
 * unverified address into the `email` claim.
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
    // No userinfo request: userinfo has no tenant claim.
    names: () => true,
    accountsOf: async (db, claims) => {
      if (textOf(claims, 'tid')?.toLowerCase() !== tenantId) throw new ProblemError('sign-in-not-verified');
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

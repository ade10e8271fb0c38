import type { KeyObject } from 'node:crypto';
import { type ClientAuth, PrivateKeyJwt } from 'openid-client';
import { accountsByPersonalNumber } from '../../db/stores/account-store.ts';
import { bySecret, type Claims, textOf, type Upstream } from './upstream.ts';
import type { SithsSettings } from './upstream-settings.ts';

const algorithmOf = (key: KeyObject) =>
  key.asymmetricKeyType === 'rsa'
    ? { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
    : { name: 'ECDSA', namedCurve: key.asymmetricKeyDetails?.namedCurve === 'secp384r1' ? 'P-384' : 'P-256' };

const keyed = async (key: KeyObject, kid: string | null): Promise<ClientAuth> => {
  const bytes = Uint8Array.from(key.export({ type: 'pkcs8', format: 'der' }));
  const usable = await crypto.subtle.importKey('pkcs8', bytes, algorithmOf(key), false, ['sign']);
  return PrivateKeyJwt({ key: usable, ...(kid === null ? {} : { kid }) });
};

/** Explicitly stated assurance levels below that of the card. */
const isWeak = (claims: Claims): boolean => /\/loa[12]$/i.test(textOf(claims, 'acr') ?? '');

/** SITHS through Inera's IdP: a card (or its app) and its PIN, so two factors by itself. */
export const sithsUpstream = (settings: SithsSettings): Upstream => {
  const { privateKey, privateKeyId, claims: names } = settings;
  const numberOf = (claims: Claims) => names.map((name) => textOf(claims, name)).find((text) => text !== undefined);
  return {
    method: 'siths',
    issuer: settings.issuer,
    clientId: settings.clientId,
    authentication: async (metadata) =>
      privateKey ? keyed(privateKey, privateKeyId) : bySecret(settings.clientSecret ?? '', metadata),
    scope: settings.scope,
    label: settings.label,
    names: (claims) => numberOf(claims) !== undefined,
    accountsOf: async (db, claims) => {
      const number = numberOf(claims);
      return number === undefined ? [] : accountsByPersonalNumber(db, number);
    },
    isStrong: (claims) => !isWeak(claims),
  };
};

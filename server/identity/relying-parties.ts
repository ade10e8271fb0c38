import { z } from 'zod';
import { openid } from '../../contract/sign-in.ts';
import type { Environment } from '../named-settings.ts';
import { StartRefused } from '../start-refused.ts';
import { signingAlgorithm } from './key-generations.ts';

const variable = 'DENTARIUM_OPENID_CLIENTS';

const relyingParty = z.strictObject({
  id: z.string().regex(/^[\w.-]{1,64}$/),
  /** What a person reads while signing in to it. */
  name: z.string().min(1).max(80),
  /** Without one it is a public client, and PKCE alone proves that the same program came back. */
  secret: z.string().min(16).optional(),
  redirectUris: z
    .array(z.url({ protocol: /^https?$/ }).refine((uri) => !uri.includes('#'), 'an address with #'))
    .min(1),
});

/** Another program of the clinic whose users sign in by this archive. It learns who somebody is, and may not call the archive. */
export type RelyingParty = z.infer<typeof relyingParty>;

const list = z
  .array(relyingParty)
  .refine((all) => all.every(({ id }) => id !== openid.clientId), 'the id of our own client')
  .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'two clients with one id');

/** `[{"id", "name", "secret", "redirectUris"}]`. Throws StartRefused naming the variable, never its value. */
export const readRelyingParties = (environment: Environment): readonly RelyingParty[] => {
  const text = environment[variable];
  if (!text) return [];
  try {
    return list.parse(JSON.parse(text));
  } catch (error) {
    const issue = error instanceof z.ZodError ? error.issues[0] : undefined;
    const fault = issue ? `${issue.path.join('.')}: ${issue.message}` : 'no JSON';
    throw new StartRefused(`Setting ${variable}: ${fault}`);
  }
};

/** On one machine a person may write the address in three ways. */
const redirectUrisAt = (publicUrl: string): string[] => {
  const own = new URL(openid.callbackPath, publicUrl);
  const loopback = ['localhost', '127.0.0.1', '[::1]'];
  if (!loopback.includes(own.hostname)) return [own.href];
  return loopback.map((hostname) => Object.assign(new URL(own), { hostname }).href);
};

const usual = { application_type: 'web', response_types: ['code'], id_token_signed_response_alg: signingAlgorithm };

/** The clients as oidc-provider takes them: the browser's own, which is public, and those of the configuration. */
export const clientsOf = (publicUrl: string, others: readonly RelyingParty[]) => [
  {
    ...usual,
    client_id: openid.clientId,
    client_name: 'Dentarium',
    token_endpoint_auth_method: 'none',
    grant_types: ['password', 'authorization_code', 'refresh_token'],
    redirect_uris: redirectUrisAt(publicUrl),
    scope: openid.scope,
  },
  ...others.map(({ id, name, secret, redirectUris }) => ({
    ...usual,
    client_id: id,
    client_name: name,
    ...(secret === undefined
      ? { token_endpoint_auth_method: 'none' }
      : { token_endpoint_auth_method: 'client_secret_basic', client_secret: secret }),
    grant_types: ['authorization_code'],
    redirect_uris: redirectUris,
    scope: 'openid profile',
  })),
];

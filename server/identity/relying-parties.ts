import { z } from 'zod';
import { serviceScope } from '../../contract/service-scopes.ts';
import { openid } from '../../contract/sign-in.ts';
import { readSettings } from '../settings/read-settings.ts';
import type { Environment, Settings } from '../settings/setting.ts';
import { signingAlgorithm } from './key-generations.ts';

const relyingParty = z.strictObject({
  id: z.string().regex(/^[\w.-]{1,64}$/),
  /** Name shown to the user during sign-in. */
  name: z.string().min(1).max(80),
  /** Without a secret it is a public client, protected by PKCE alone. */
  secret: z.string().min(16).optional(),
  redirectUris: z
    .array(z.url({ protocol: /^https?$/ }).refine((uri) => !uri.includes('#'), 'an address with #'))
    .min(1),
  /** With which the program may call DICOMweb as the user. */
  scopes: z.array(serviceScope).default([]),
});

/** Another program of the clinic that uses this archive for sign-in. It learns who the user is, and may call DICOMweb if it has a scope for it. */
export type RelyingParty = z.infer<typeof relyingParty>;

const list = z
  .array(relyingParty)
  .refine((all) => all.every(({ id }) => id !== openid.clientId), 'the id of our own client')
  .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'two clients with one id');

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const listText = z.string().transform((text, context) => {
  const json = parsed(text);
  const result = list.safeParse(json);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const problem = json === null || !issue ? 'not valid JSON' : `${issue.path.join('.')}: ${issue.message}`;
  context.addIssue({ code: 'custom', message: problem });
  return z.NEVER;
});

export const relyingPartyVariables = {
  clients: {
    variable: 'DENTARIUM_OPENID_CLIENTS',
    schema: listText,
    default: '[]',
    description:
      'other programs that sign in here, as JSON: `[{"id", "name", "secret", "redirectUris", "scopes"}]`. See [sign-in.md](sign-in.md#dentarium-as-a-provider-for-other-programs)',
    isSecret: true,
  },
} satisfies Settings;

/** @throws StartupError naming the variable, never its value */
export const readRelyingParties = (environment: Environment): readonly RelyingParty[] =>
  readSettings(environment, relyingPartyVariables).clients;

/** Returns the equivalent loopback URLs: localhost, 127.0.0.1 and [::1]. */
const redirectUrisAt = (publicUrl: string): string[] => {
  const own = new URL(openid.callbackPath, publicUrl);
  const loopback = ['localhost', '127.0.0.1', '[::1]'];
  if (!loopback.includes(own.hostname)) return [own.href];
  return loopback.map((hostname) => Object.assign(new URL(own), { hostname }).href);
};

const usual = { application_type: 'web', response_types: ['code'], id_token_signed_response_alg: signingAlgorithm };

/** Returns the clients for oidc-provider: the browser's own (public) and the configured ones. */
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
  ...others.map(({ id, name, secret, redirectUris, scopes }) => ({
    ...usual,
    client_id: id,
    client_name: name,
    ...(secret === undefined
      ? { token_endpoint_auth_method: 'none' }
      : { token_endpoint_auth_method: 'client_secret_basic', client_secret: secret }),
    // Access tokens live for minutes: only a program that calls the archive needs the next one.
    grant_types: scopes.length === 0 ? ['authorization_code'] : ['authorization_code', 'refresh_token'],
    redirect_uris: redirectUris,
    scope: ['openid profile', ...(scopes.length === 0 ? [] : ['offline_access', ...scopes])].join(' '),
  })),
];

import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type ServerMetadata,
} from 'openid-client';
import { ProblemError } from '../../domain/problem-error.ts';
import { isLoopback } from '../../loopback.ts';
import type { AuthorizationRequest } from './authorization-states.ts';
import { type Discovery, timeoutSeconds } from './discovery.ts';
import type { Claims, Upstream } from './upstream.ts';

/**
 * Created for each sign-in, so that the provider's keys are read again: they may rotate at any time. Signatures are verified although the token came
 * over TLS from the provider itself (OpenID Connect Core 3.1.3.7 would allow skipping that).
 */
const configurationOf = async (upstream: Upstream, metadata: ServerMetadata): Promise<Configuration> => {
  const client = { [clockTolerance]: 10 };
  const configuration = new Configuration(metadata, upstream.clientId, client, await upstream.authentication(metadata));
  configuration.timeout = timeoutSeconds;
  if (isLoopback(upstream.issuer)) allowInsecureRequests(configuration);
  enableNonRepudiationChecks(configuration);
  return configuration;
};

/** Returns the authorization URL and the secrets needed for the callback. */
export const authorizationUrlOf = async (
  upstream: Upstream,
  discovery: Discovery,
  { redirectUri, language }: { readonly redirectUri: string; readonly language: string | null },
) => {
  const configuration = await configurationOf(upstream, await discovery.metadataOf(upstream.issuer));
  const secrets = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
  const url = buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: upstream.scope,
    state: secrets.state,
    nonce: secrets.nonce,
    code_challenge: await calculatePKCECodeChallenge(secrets.verifier),
    code_challenge_method: 'S256',
    // Workstations are shared: an existing session at the provider may belong to someone else.
    prompt: 'login',
    ...(language === null ? {} : { ui_locales: language }),
  });
  if (url.protocol !== 'https:' && !isLoopback(url.href)) throw new ProblemError('method-away');
  return { url, ...secrets };
};

/** Exchanges the code for tokens, verifies them and returns their claims. Throws errors of openid-client. */
export const claimsOf = async (
  upstream: Upstream,
  discovery: Discovery,
  request: Pick<AuthorizationRequest, 'nonce' | 'verifier'>,
  { address, state }: { readonly address: URL; readonly state: string },
): Promise<Claims> => {
  const configuration = await configurationOf(upstream, await discovery.metadataOf(upstream.issuer));
  const tokens = await authorizationCodeGrant(configuration, address, {
    expectedState: state,
    expectedNonce: request.nonce,
    pkceCodeVerifier: request.verifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (!claims) throw new ProblemError('sign-in-not-verified');
  if (upstream.names(claims) || !configuration.serverMetadata().userinfo_endpoint) return claims;
  const more = await fetchUserInfo(configuration, tokens.access_token, claims.sub);
  // Identity claims come from one source only, so an address in one is not verified by the other. `amr` and `acr` come from the token only.
  return { ...more, amr: claims.amr, acr: claims.acr };
};

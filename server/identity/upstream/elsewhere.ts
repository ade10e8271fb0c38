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
import { isLoopback } from '../../loopback.ts';
import { Refusal } from '../../refusal.ts';
import { type Discovery, patienceSeconds } from './discovery.ts';
import type { Departure } from './journey.ts';
import type { Claims, Upstream } from './upstream.ts';

/**
 * Made anew for each sign-in, so that the provider's keys are read anew too: they may rotate at any moment. Signatures are checked although
 * the token came over TLS from the provider itself (OpenID Connect Core 3.1.3.7 would let us off).
 */
const configurationOf = async (upstream: Upstream, metadata: ServerMetadata): Promise<Configuration> => {
  const client = { [clockTolerance]: 10 };
  const made = new Configuration(metadata, upstream.clientId, client, await upstream.authentication(metadata));
  made.timeout = patienceSeconds;
  if (isLoopback(upstream.issuer)) allowInsecureRequests(made);
  enableNonRepudiationChecks(made);
  return made;
};

/** Where to send the browser, and what must be known when it comes back. */
export const leaveFor = async (
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
    // Workstations are shared: whoever signed in there before is not who sits there now.
    prompt: 'login',
    ...(language === null ? {} : { ui_locales: language }),
  });
  if (url.protocol !== 'https:' && !isLoopback(url.href)) throw new Refusal('method-away');
  return { url, ...secrets };
};

/** The code for tokens, the tokens' claims, all checks made. Throws what openid-client throws. */
export const claimsOf = async (
  upstream: Upstream,
  discovery: Discovery,
  journey: Pick<Departure, 'nonce' | 'verifier'>,
  { address, state }: { readonly address: URL; readonly state: string },
): Promise<Claims> => {
  const configuration = await configurationOf(upstream, await discovery.metadataOf(upstream.issuer));
  const tokens = await authorizationCodeGrant(configuration, address, {
    expectedState: state,
    expectedNonce: journey.nonce,
    pkceCodeVerifier: journey.verifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (!claims) throw new Refusal('sign-in-not-verified');
  if (upstream.names(claims) || !configuration.serverMetadata().userinfo_endpoint) return claims;
  const more = await fetchUserInfo(configuration, tokens.access_token, claims.sub);
  // One or the other says who it is: an address of the one must not be vouched for by the other. How it was proved, the token alone says.
  return { ...more, amr: claims.amr, acr: claims.acr };
};

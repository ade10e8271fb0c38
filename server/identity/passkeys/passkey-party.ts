import { isIP } from 'node:net';
import { ProblemError } from '../../domain/problem-error.ts';

/** The relying party of passkeys (Web Authentication, section 5.4.2): the host of the archive, and the origin that the browser names. */
export interface PasskeyParty {
  readonly id: string;
  readonly origin: string;
}

/** Returns the relying party at an origin; null where browsers refuse passkeys: at an IP address, and without HTTPS but for localhost. */
export const passkeyPartyAt = (origin: string): PasskeyParty | null => {
  const { protocol, hostname } = new URL(origin);
  const isSecure = protocol === 'https:' || hostname === 'localhost';
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
  return isSecure && !isAddress ? { id: hostname, origin } : null;
};

/** @throws ProblemError 'passkey-unavailable' */
export const requirePasskeyParty = (origin: string): PasskeyParty => {
  const party = passkeyPartyAt(origin);
  if (!party) throw new ProblemError('passkey-unavailable');
  return party;
};

import { Secret, TOTP } from 'otpauth';

/** Parameters of RFC 6238 that all authenticator apps support. */
const parameters = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** RFC 4226 section 4, R6. */
const keyBytes = 20;
/** Tolerated clock difference in time steps, in both directions. */
const window = 1;

/** Creates a shared key, base32 (RFC 4648) without padding. */
export const newSharedKey = (): string => new Secret({ size: keyBytes }).base32;

/** Returns the `otpauth://totp/...` URI for the QR code. */
export const authenticatorUri = (sharedKey: string, label: string): string =>
  new TOTP({ ...parameters, issuer: 'Dentarium', label, secret: Secret.fromBase32(sharedKey) }).toString();

/** Returns the time step that the code belongs to, now or one step off; null when it matches none. */
export const timeStepOf = (sharedKey: string, code: string, at = Date.now()): number | null => {
  const token = code.replace(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return null;
  const totp = new TOTP({ ...parameters, secret: Secret.fromBase32(sharedKey) });
  const delta = totp.validate({ token, timestamp: at, window });
  return delta === null ? null : Math.floor(at / 1000 / parameters.period) + delta;
};

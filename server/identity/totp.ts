import { Secret, TOTP } from 'otpauth';

/** RFC 6238 as every authenticator app understands it. */
const parameters = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** RFC 4226 section 4, R6. */
const keyBytes = 20;
/** Clocks may be off by this many steps in either direction. */
const window = 1;

/** A new shared key, base32 (RFC 4648) without padding. */
export const newSharedKey = (): string => new Secret({ size: keyBytes }).base32;

/** `otpauth://totp/...` for the QR code. */
export const authenticatorUri = (sharedKey: string, label: string): string =>
  new TOTP({ ...parameters, issuer: 'Dentarium', label, secret: Secret.fromBase32(sharedKey) }).toString();

/** The time step whose code it is, at this moment or one step beside it; null when it is the code of none. */
export const timeStepOf = (sharedKey: string, code: string, at = Date.now()): number | null => {
  const token = code.replace(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return null;
  const totp = new TOTP({ ...parameters, secret: Secret.fromBase32(sharedKey) });
  const delta = totp.validate({ token, timestamp: at, window });
  return delta === null ? null : Math.floor(at / 1000 / parameters.period) + delta;
};

import { createHmac } from 'node:crypto';

/** The stored part of an order from which its QR code is computed. */
export interface QrStart {
  readonly qrStartToken: string;
  /** Never sent to the browser: with it, anyone could generate valid codes. */
  readonly qrStartSecret: string;
}

/**
 * Returns the text of the animated QR code (BankID developers, "QR code"): `bankid.<token>.<seconds>.<HMAC-SHA256 in hex>`, the HMAC over the decimal
 * seconds with the secret as key. A code is valid for about one second.
 * @param ageMs since the order was created
 */
export const animatedQr = ({ qrStartToken, qrStartSecret }: QrStart, ageMs: number): string => {
  const seconds = String(Math.max(0, Math.floor(ageMs / 1000)));
  const code = createHmac('sha256', qrStartSecret).update(seconds).digest('hex');
  return `bankid.${qrStartToken}.${seconds}.${code}`;
};

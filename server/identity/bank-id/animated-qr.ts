import { createHmac } from 'node:crypto';

/** What the archive keeps of an order to draw its code. */
export interface QrStart {
  readonly qrStartToken: string;
  /** Never leaves the server: whoever has it can draw codes elsewhere. */
  readonly qrStartSecret: string;
}

/**
 * Text of the animated code in a second of an order (BankID developers, "QR code"): `bankid.<token>.<seconds>.<HMAC-SHA256 in hex>`, the
 * HMAC over the decimal seconds with the secret as key. A code is good for its second and little more.
 * @param ageMs since the order was made
 */
export const animatedQr = ({ qrStartToken, qrStartSecret }: QrStart, ageMs: number): string => {
  const seconds = String(Math.max(0, Math.floor(ageMs / 1000)));
  const code = createHmac('sha256', qrStartSecret).update(seconds).digest('hex');
  return `bankid.${qrStartToken}.${seconds}.${code}`;
};

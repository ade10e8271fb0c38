/** A relying party of BankID (RP API version 6). */
export interface BankIdSettings {
  readonly url: string;
  /** PKCS #12 with the client certificate and its key. */
  readonly certificateFile: string;
  readonly passphrase: string;
  /** PEM of the issuer of BankID's server certificate. */
  readonly caFile: string;
}

export const readBankIdSettings = (_environment: Readonly<Record<string, string | undefined>>): BankIdSettings | null =>
  null;

import { type KeyObject, randomBytes, sign } from 'node:crypto';
import { der, identifier, inContext, integer, octets, sequence, set } from './der.ts';

/* Writes X.509 certificates (RFC 5280) with ECDSA keys: an authority, and certificates signed by it. */

const commonName = '2.5.4.3';
const ecdsaWithSha256 = sequence(identifier('1.2.840.10045.4.3.2'));
const day = 86_400_000;

const named = (name: string) => sequence(set(sequence(identifier(commonName), der(0x0c, Buffer.from(name, 'utf8')))));

const time = (moment: number) =>
  der(0x17, Buffer.from(`${new Date(moment).toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`));

const extension = (id: string, critical: boolean, value: Buffer) =>
  sequence(identifier(id), ...(critical ? [der(0x01, Buffer.from([0xff]))] : []), octets(value));

export interface CertificateFields {
  readonly subject: string;
  readonly issuer: string;
  readonly publicKey: KeyObject;
  readonly signingKey: KeyObject;
  readonly use: 'authority' | 'server' | 'client';
}

const extensionsOf = (use: CertificateFields['use']): Buffer[] => {
  if (use === 'authority')
    return [
      extension('2.5.29.19', true, sequence(der(0x01, Buffer.from([0xff])), integer(0))),
      // keyCertSign and cRLSign
      extension('2.5.29.15', true, der(0x03, Buffer.from([1, 0b0000_0110]))),
    ];
  const purpose = identifier(`1.3.6.1.5.5.7.3.${use === 'server' ? 1 : 2}`);
  const dns = (name: string) => der(0x82, Buffer.from(name));
  const names =
    use === 'server' ? [dns('localhost'), der(0x87, Buffer.from([127, 0, 0, 1]))] : [dns('relying-party.test')];
  return [
    extension('2.5.29.19', true, sequence()),
    extension('2.5.29.37', false, sequence(purpose)),
    extension('2.5.29.17', false, sequence(...names)),
  ];
};

/** A certificate in DER, good from yesterday for 30 days. */
export const certificate = ({ subject, issuer, publicKey, signingKey, use }: CertificateFields): Buffer => {
  const serial = der(0x02, Buffer.from([1]), randomBytes(15));
  const validity = sequence(time(Date.now() - day), time(Date.now() + 30 * day));
  const content = sequence(
    inContext(integer(2)),
    serial,
    ecdsaWithSha256,
    named(issuer),
    validity,
    named(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    inContext(sequence(...extensionsOf(use)), 3),
  );
  const signature = sign('sha256', content, signingKey);
  return sequence(content, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
};

export const pemOf = (bytes: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64').replace(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`;

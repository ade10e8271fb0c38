import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pkcs12 } from './pkcs12.ts';
import { certificate, pemOf } from './x509.ts';

export interface Certificates {
  /** PEM of the issuer of both sides. */
  readonly ca: string;
  readonly serverKey: string;
  readonly serverCertificate: string;
  /** PKCS #12 of a relying party. */
  readonly clientFile: string;
  readonly passphrase: string;
  /** PEM, again as a file. */
  readonly caFile: string;
}

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** Creates a certification authority, a server certificate and one of a relying party; new at every start. */
export const makeCertificates = (folder: string): Certificates => {
  const [authority, server, client] = [newKeys(), newKeys(), newKeys()];
  const issuer = 'TEST BankID CA (Dentarium stand-in)';
  const signed = { issuer, signingKey: authority.privateKey };
  const ca = pemOf(certificate({ ...signed, subject: issuer, publicKey: authority.publicKey, use: 'authority' }));
  const ofServer = certificate({ ...signed, subject: 'localhost', publicKey: server.publicKey, use: 'server' });
  const ofClient = certificate({
    ...signed,
    subject: 'TEST relying party',
    publicKey: client.publicKey,
    use: 'client',
  });

  mkdirSync(folder, { recursive: true });
  const passphrase = 'stand-in';
  const clientFile = path.join(folder, 'relying-party.p12');
  const caFile = path.join(folder, 'ca.pem');
  writeFileSync(clientFile, pkcs12(ofClient, client.privateKey, passphrase), { mode: 0o600 });
  writeFileSync(caFile, ca, { mode: 0o600 });
  const serverKey = String(server.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  return { ca, serverKey, serverCertificate: pemOf(ofServer), clientFile, passphrase, caFile };
};

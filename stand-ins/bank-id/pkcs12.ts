import { createHash, createHmac, type KeyObject, randomBytes } from 'node:crypto';
import { der, identifier, inContext, integer, octets, sequence, set } from './der.ts';

/*
 * Writes a PKCS #12 file (RFC 7292) as a relying party gets one: a certificate and its key, the key encrypted (PBES2, AES-256), the whole
 * protected by an HMAC-SHA256. The certificate is not encrypted, which the format allows.
 */

const data = '1.2.840.113549.1.7.1';
const x509Certificate = '1.2.840.113549.1.9.22.1';
const localKeyId = '1.2.840.113549.1.9.21';
const shroudedKeyBag = '1.2.840.113549.1.12.10.1.2';
const certificateBag = '1.2.840.113549.1.12.10.1.3';
const sha256 = '2.16.840.1.101.3.4.2.1';

/** Key for the HMAC (RFC 7292 appendix B.2, identifier 3) with SHA-256: one block of output is all that it needs. */
const macKey = (passphrase: string, salt: Buffer, iterations: number): Buffer => {
  const block = 64;
  const filled = (bytes: Buffer) =>
    Buffer.alloc(Math.ceil(bytes.length / block) * block, bytes.length > 0 ? bytes : Buffer.alloc(1));
  const wide = Buffer.from(`${passphrase}\0`, 'utf16le').swap16();
  let hash = Buffer.concat([Buffer.alloc(block, 3), filled(salt), filled(wide)]);
  for (let iteration = 0; iteration < iterations; iteration++) hash = createHash('sha256').update(hash).digest();
  return hash;
};

/** @param certificate DER @param passphrase ASCII */
export const pkcs12 = (certificate: Uint8Array, key: KeyObject, passphrase: string): Buffer => {
  const id = createHash('sha256').update(certificate).digest().subarray(0, 20);
  const attributes = set(sequence(identifier(localKeyId), set(octets(id))));
  const encrypted = key.export({ type: 'pkcs8', format: 'der', cipher: 'aes-256-cbc', passphrase });
  const keyBag = sequence(identifier(shroudedKeyBag), inContext(encrypted), attributes);
  const held = sequence(identifier(x509Certificate), inContext(octets(certificate)));
  const bag = sequence(identifier(certificateBag), inContext(held), attributes);
  const content = (bytes: Uint8Array) => sequence(identifier(data), inContext(octets(bytes)));
  const safe = sequence(content(sequence(bag)), content(sequence(keyBag)));

  const salt = randomBytes(16);
  const iterations = 2048;
  const digest = createHmac('sha256', macKey(passphrase, salt, iterations))
    .update(safe)
    .digest();
  const algorithm = sequence(identifier(sha256), der(0x05));
  const mac = sequence(sequence(algorithm, octets(digest)), octets(salt), integer(iterations));
  return sequence(integer(3), content(safe), mac);
};

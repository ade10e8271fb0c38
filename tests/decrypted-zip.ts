import { createCipheriv, createHmac, pbkdf2Sync } from 'node:crypto';
import { type Entry, fromBuffer } from 'yauzl';

const [saltBytes, checkBytes, hmacBytes, keyBytes] = [16, 2, 10, 32] as const;
const [encryptedWithAes, encrypted] = [99, 1] as const;

/** AES in counter mode with a little-endian counter from 1, as in the specification of WinZip AES; Node's own is big-endian. */
const counterMode = (bytes: Buffer, key: Buffer): Buffer => {
  const counters = Buffer.alloc(Math.ceil(bytes.length / 16) * 16);
  for (let block = 0; block * 16 < counters.length; block += 1) counters.writeUInt32LE(block + 1, block * 16);
  const stream = createCipheriv('aes-256-ecb', key, null).update(counters);
  return Buffer.from(bytes.map((byte, at) => byte ^ (stream[at] ?? 0)));
};

/** Decrypts one stored file of a zip. @throws when it is not AES-256, or password or content are wrong */
const decrypted = (zip: Buffer, entry: Entry, password: string): Buffer => {
  const aes = entry.extraFields.find(({ id }) => id === 0x9901)?.data;
  if (entry.compressionMethod !== encryptedWithAes || (entry.generalPurposeBitFlag & encrypted) === 0 || aes?.[4] !== 3)
    throw new Error(`${entry.fileName} is not encrypted with AES-256`);
  const header = entry.relativeOffsetOfLocalHeader;
  const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
  const data = zip.subarray(start, start + entry.compressedSize);
  const keys = pbkdf2Sync(password, data.subarray(0, saltBytes), 1_000, 2 * keyBytes + checkBytes, 'sha1');
  const content = data.subarray(saltBytes + checkBytes, data.length - hmacBytes);
  if (!keys.subarray(2 * keyBytes).equals(data.subarray(saltBytes, saltBytes + checkBytes)))
    throw new Error('the password is wrong');
  const hmac = createHmac('sha1', keys.subarray(keyBytes, 2 * keyBytes))
    .update(content)
    .digest();
  if (!hmac.subarray(0, hmacBytes).equals(data.subarray(data.length - hmacBytes)))
    throw new Error(`${entry.fileName} was changed`);
  return counterMode(content, keys.subarray(0, keyBytes));
};

/** Returns names and bytes of the files of an encrypted zip, in order. Follows winzip.com/aes_info.html, not the library under test. */
export const decryptedZip = (zip: Buffer, password: string): Promise<[string, Buffer][]> =>
  new Promise((resolve, reject) => {
    fromBuffer(zip, {}, (failure, file) => {
      if (failure) return reject(failure);
      const found: [string, Buffer][] = [];
      file.on('error', reject);
      file.on('end', () => resolve(found));
      file.on('entry', (entry: Entry) => {
        try {
          found.push([entry.fileName, decrypted(zip, entry, password)]);
        } catch (error) {
          reject(error);
        }
      });
    });
  });

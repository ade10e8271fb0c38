import { BlobReader, BlobWriter, ZipReader, ZipWriter } from '@zip.js/zip.js';

/** AES with a key of 256 bits (WinZip AE-2). */
const aes256 = 3;

/**
 * Returns a zip with the files of `zip`, each encrypted with AES-256. Names, sizes and dates stay readable.
 * @param onEncrypted reports the encrypted bytes so far
 * @throws the reason of `signal` when it is aborted
 */
export const encryptZip = async (
  zip: Blob,
  password: string,
  onEncrypted: (bytes: number) => void,
  signal: AbortSignal,
): Promise<Blob> => {
  const reader = new ZipReader(new BlobReader(zip));
  const writer = new ZipWriter(new BlobWriter('application/zip'), { password, encryptionStrength: aes256, level: 0 });
  let before = 0;
  for (const entry of await reader.getEntries()) {
    signal.throwIfAborted();
    if (entry.directory) continue;
    const file = await entry.getData(new BlobWriter(), { signal });
    await writer.add(entry.filename, new BlobReader(file), {
      lastModDate: entry.lastModDate,
      signal,
      onprogress: async (bytes) => onEncrypted(before + bytes),
    });
    before += file.size;
  }
  return writer.close();
};

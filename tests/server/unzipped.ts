import { buffer } from 'node:stream/consumers';
import { type Entry, fromBuffer } from 'yauzl';

/** Returns names and bytes of the files in a zip, in order. */
export const unzipped = (zip: Buffer): Promise<[string, Buffer][]> =>
  new Promise((resolve, reject) => {
    fromBuffer(zip, { lazyEntries: true }, (failure, file) => {
      if (failure) return reject(failure);
      const found: [string, Buffer][] = [];
      file.on('error', reject);
      file.on('end', () => resolve(found));
      file.on('entry', (entry: Entry) =>
        file.openReadStream(entry, (error, stream) => {
          if (error) return reject(error);
          buffer(stream).then((bytes) => {
            found.push([entry.fileName, bytes]);
            file.readEntry();
          }, reject);
        }),
      );
      file.readEntry();
    });
  });

import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import type S3rver from 's3rver';
import S3Error from 's3rver/lib/models/error.js';

/** Minimum size of every part but the last. */
const minPart = 5 * 2 ** 20;

/** Returns whether the bytes are those whose hash the sender has signed. */
const isSigned = (content: AsyncIterable<Buffer>, sha256: string): boolean => {
  const { headers = {} } = content as Partial<IncomingMessage>;
  const signed = String(headers['x-amz-content-sha256'] ?? '');
  return !/^[0-9a-f]{64}$/.test(signed) || signed === sha256;
};

const write = async (
  file: string,
  content: AsyncIterable<Buffer>,
  isFlipping: boolean,
): Promise<{ size: number; md5: string }> => {
  const [md5, sha256] = [createHash('md5'), createHash('sha256')];
  const handle = await open(file, 'w');
  let size = 0;
  try {
    for await (const received of content) {
      const chunk = isFlipping ? received.map((byte) => byte ^ 1) : received;
      md5.update(chunk);
      sha256.update(chunk);
      await handle.writeFile(chunk);
      size += chunk.length;
    }
  } finally {
    await handle.close();
  }
  if (!isSigned(content, sha256.digest('hex')))
    throw new S3Error('BadDigest', 'The hash that was signed did not match what was received.');
  return { size, md5: md5.digest('hex') };
};

/**
 * Corrects differences of s3rver 3.7 from S3: an interrupted object or part keeps the previous one, signed hashes of bodies are compared, a
 * write is complete when acknowledged, an aborted upload accepts no parts, completing checks sizes and ETags, and a copy
 * of an object onto itself renews it. `isFlipping`: bytes change
 * on their way.
 */
export const mendMultipart = ({ store }: S3rver, isFlipping: () => boolean): void => {
  const folderOf = (bucket: string, uploadId: string): string => {
    const folder = path.join(store.getResourcePath(bucket, '', 'uploads'), path.basename(uploadId));
    if (!existsSync(folder)) throw new S3Error('NoSuchUpload', 'The specified upload does not exist.');
    return folder;
  };

  store.putPart = async (bucket, uploadId, number, content) => {
    const folder = folderOf(bucket, uploadId);
    const draft = path.join(folder, `${randomUUID()}.draft`);
    const { md5 } = await write(draft, content, isFlipping());
    await rename(draft, path.join(folder, String(Number(number))));
    const tag = await open(path.join(folder, `${Number(number)}.md5`), 'w');
    await tag.writeFile(md5);
    await tag.close();
    return { md5 };
  };

  store.putObject = async ({ bucket, key, content, metadata }) => {
    const file = store.getResourcePath(bucket, key, 'object');
    await mkdir(path.dirname(file), { recursive: true });
    const draft = `${file}.${randomUUID()}.draft`;
    const written = await write(draft, content, isFlipping());
    await rename(draft, file);
    await store.putMetadata(bucket, key, metadata, written.md5);
    return written;
  };

  const copy = store.copyObject.bind(store);
  store.copyObject = async (fromBucket, from, toBucket, to, metadata) => {
    const now = new Date();
    if (from === to) await utimes(store.getResourcePath(toBucket, to, 'object'), now, now);
    return copy(fromBucket, from, toBucket, to, metadata);
  };

  const complete = store.putObjectMultipart.bind(store);
  store.putObjectMultipart = async (bucket, uploadId, parts) => {
    const folder = folderOf(bucket, uploadId);
    const stored = new Map((await partsIn(folder)).map((part) => [part.number, part]));
    for (const [index, { number, etag }] of parts.entries()) {
      const part = stored.get(number);
      if (part?.md5 !== etag)
        throw new S3Error('InvalidPart', 'One or more of the specified parts could not be found.');
      if (part.size < minPart && index < parts.length - 1)
        throw new S3Error('EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size');
    }
    return complete(bucket, uploadId, parts);
  };
};

const partsIn = async (folder: string) => {
  const names = await readdir(folder);
  const numbers = names.filter((name) => /^\d+$/.test(name) && names.includes(`${name}.md5`)).map(Number);
  return Promise.all(
    numbers
      .sort((a, b) => a - b)
      .map(async (number) => ({
        number,
        md5: await readFile(path.join(folder, `${number}.md5`), 'utf8'),
        size: (await stat(path.join(folder, String(number)))).size,
      })),
  );
};

const xml = (name: string, content: string) => `<?xml version="1.0" encoding="UTF-8"?>\n<${name}>${content}</${name}>`;

/** Handles the three multipart calls that s3rver lacks. Null: another call. */
export const multipartCall = async (
  { store }: S3rver,
  method: string | undefined,
  url: URL,
  partsPerPage: number,
): Promise<{ status: number; body: string } | null> => {
  const [bucket = '', ...rest] = decodeURIComponent(url.pathname).slice(1).split('/');
  const key = rest.join('/');
  const uploads = store.getResourcePath(bucket, '', 'uploads');
  if (method === 'GET' && key === '' && url.searchParams.has('uploads')) {
    const ids = existsSync(uploads) ? await readdir(uploads) : [];
    const known = await Promise.all(
      ids.map(async (id) => {
        const file = path.join(uploads, id, 'key');
        return { id, key: await readFile(file, 'utf8'), begun: (await stat(file)).mtime.toISOString() };
      }),
    );
    const found = known.filter((upload) => upload.key.startsWith(url.searchParams.get('prefix') ?? ''));
    const listed = found.map(
      ({ id, key: of, begun }) =>
        `<Upload><Key>${of}</Key><UploadId>${id}</UploadId><Initiated>${begun}</Initiated></Upload>`,
    );
    return { status: 200, body: xml('ListMultipartUploadsResult', listed.join('')) };
  }
  const uploadId = url.searchParams.get('uploadId');
  if (uploadId === null || !(method === 'GET' || method === 'DELETE')) return null;
  const folder = path.join(uploads, path.basename(uploadId));
  const isOfKey = existsSync(folder) && (await readFile(path.join(folder, 'key'), 'utf8')) === key;
  if (!isOfKey) throw new S3Error('NoSuchUpload', 'The specified upload does not exist.');
  if (method === 'DELETE') {
    await rm(folder, { recursive: true });
    return { status: 204, body: '' };
  }
  const after = Number(url.searchParams.get('part-number-marker') ?? 0);
  const all = (await partsIn(folder)).filter(({ number }) => number > after);
  const page = all.slice(0, partsPerPage);
  const parts = page.map(
    ({ number, md5, size }) =>
      `<Part><PartNumber>${number}</PartNumber><ETag>&quot;${md5}&quot;</ETag><Size>${size}</Size></Part>`,
  );
  const next = `<NextPartNumberMarker>${page.at(-1)?.number ?? after}</NextPartNumberMarker>`;
  const facts = `<IsTruncated>${page.length < all.length}</IsTruncated>${next}<UploadId>${uploadId}</UploadId>`;
  return { status: 200, body: xml('ListPartsResult', facts + parts.join('')) };
};

import type { z } from 'zod';
import type { ImportKind } from '../../contract/imports.ts';
import { importBatch, importDirectory, importZip } from '../../contract/uploads.ts';
import { failureOfResponse } from './error-response.ts';
import { ServiceError } from './failure.ts';
import { parsedJson } from './parsed-json.ts';
import type { Sent } from './xhr-send.ts';

/** A file with its bytes. */
export interface SendableFile {
  readonly key: string;
  readonly path: string;
  readonly file: File;
}

/** Limits of one request: a network error loses at most this, and the archive commits once per request. */
const maxBytes = 8 * 1024 * 1024;
const maxFiles = 20;

const isZip = ({ path }: SendableFile): boolean => /\.zip$/i.test(path);

/** Returns the route and form field for files of this kind. */
const callFor = (kind: ImportKind, files: readonly SendableFile[]) => {
  if (kind !== 'dicomdir') return { route: importBatch, field: 'files' };
  return files.every(isZip) ? { route: importZip, field: 'file' } : { route: importDirectory, field: 'files' };
};

/** Takes files for one request from the front of the queue, at least one. A zip is sent alone. */
export const takeBatch = (queue: SendableFile[], kind: ImportKind): readonly SendableFile[] => {
  const batch: SendableFile[] = [];
  let bytes = 0;
  for (let next = queue[0]; next; next = queue[0]) {
    const alone = kind === 'dicomdir' && isZip(next);
    if (batch.length > 0 && (alone || bytes + next.file.size > maxBytes)) break;
    batch.push(next);
    bytes += next.file.size;
    queue.shift();
    if (alone || batch.length === maxFiles) break;
  }
  return batch;
};

/** Returns the form: the import id, then path and content of each file. */
export const batchRequest = (taskId: string, kind: ImportKind, files: readonly SendableFile[]) => {
  const { route, field } = callFor(kind, files);
  const form = new FormData();
  form.append('id', taskId);
  for (const { path, file } of files) {
    form.append('path', path);
    form.append(field, file, file.name);
  }
  return { route, form };
};

/** Distributes the sent bytes of a request over its files, in the order of sending. Returns key and sent bytes of each file reached so far. */
export const distributeBytes = (
  files: readonly SendableFile[],
  loadedBytes: number,
): readonly (readonly [string, number])[] => {
  const shares: (readonly [string, number])[] = [];
  let remaining = loadedBytes;
  for (const { key, file } of files) {
    if (remaining <= 0) break;
    shares.push([key, Math.min(remaining, file.size)]);
    remaining -= file.size;
  }
  return shares;
};

/** Returns the parsed reply. @throws ServiceError refused, or drift if it breaks the contract */
export const replyOf = <Reply extends z.ZodType>(answer: Sent, schema: Reply, where: string): z.infer<Reply> => {
  const body = parsedJson(answer.text);
  if (answer.status >= 400) throw new ServiceError(failureOfResponse(answer.status, body, where));
  const reply = schema.safeParse(body);
  if (!reply.success) throw new ServiceError({ kind: 'drift', where });
  return reply.data;
};

/** Returns whether the file can be read. A file that was moved or changed fails like a network error. */
export const isReadable = ({ file }: SendableFile): Promise<boolean> =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );

/** Returns whether the archive acknowledged each file with its full size. */
export const isAcknowledged = (
  files: readonly SendableFile[],
  reply: z.infer<typeof importBatch.reply> | z.infer<typeof importZip.reply>,
): boolean => {
  const taken = 'files' in reply ? reply.files : [reply];
  return taken.length === files.length && files.every(({ file }, index) => taken[index]?.sizeBytes === file.size);
};

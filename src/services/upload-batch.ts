import type { z } from 'zod';
import type { ImportKind } from '../../contract/imports.ts';
import { importBatch, importDirectory, importZip } from '../../contract/uploads.ts';
import { ServiceError } from './failure.ts';
import { parsedJson } from './parsed-json.ts';
import { refusalOf } from './refusal.ts';
import type { Sent } from './xhr-send.ts';

/** A file whose bytes are here. */
export interface SendableFile {
  readonly key: string;
  readonly path: string;
  readonly file: File;
}

/** What fits into one request: a lost line costs no more than this, and an acknowledgement of many files costs the archive one commit. */
const mostBytes = 8 * 1024 * 1024;
const mostFiles = 20;

const isZip = ({ path }: SendableFile): boolean => /\.zip$/i.test(path);

/** The call that takes files of this kind, and the field that they stand in. */
const callFor = (kind: ImportKind, files: readonly SendableFile[]) => {
  if (kind !== 'dicomdir') return { route: importBatch, field: 'files' };
  return files.every(isZip) ? { route: importZip, field: 'file' } : { route: importDirectory, field: 'files' };
};

/** Takes files for one request from the front of the queue; at least one. A zip goes alone. */
export const takeBatch = (queue: SendableFile[], kind: ImportKind): readonly SendableFile[] => {
  const batch: SendableFile[] = [];
  let bytes = 0;
  for (let next = queue[0]; next; next = queue[0]) {
    const alone = kind === 'dicomdir' && isZip(next);
    if (batch.length > 0 && (alone || bytes + next.file.size > mostBytes)) break;
    batch.push(next);
    bytes += next.file.size;
    queue.shift();
    if (alone || batch.length === mostFiles) break;
  }
  return batch;
};

/** The form of a request: the import, then each file with its path before it. */
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

/** What has left of a request, shared out to its files in the order in which they go: key and bytes of each that it reached. */
export const shareOut = (
  files: readonly SendableFile[],
  loadedBytes: number,
): readonly (readonly [string, number])[] => {
  const shares: (readonly [string, number])[] = [];
  let left = loadedBytes;
  for (const { key, file } of files) {
    if (left <= 0) break;
    shares.push([key, Math.min(left, file.size)]);
    left -= file.size;
  }
  return shares;
};

/** What an answer says. @throws ServiceError refused, or drift when it is not what the contract promises */
export const replyOf = <Reply extends z.ZodType>(answer: Sent, schema: Reply, where: string): z.infer<Reply> => {
  const body = parsedJson(answer.text);
  if (answer.status >= 400) throw new ServiceError(refusalOf(answer.status, body, where));
  const reply = schema.safeParse(body);
  if (!reply.success) throw new ServiceError({ kind: 'drift', where });
  return reply.data;
};

/** A file that was moved or changed since it was chosen can no longer be read; to a request that looks like a lost line. */
export const isReadable = ({ file }: SendableFile): Promise<boolean> =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );

/** Did the archive acknowledge each of these files, with all its bytes? */
export const isAcknowledged = (
  files: readonly SendableFile[],
  reply: z.infer<typeof importBatch.reply> | z.infer<typeof importZip.reply>,
): boolean => {
  const taken = 'files' in reply ? reply.files : [reply];
  return taken.length === files.length && files.every(({ file }, index) => taken[index]?.sizeBytes === file.size);
};

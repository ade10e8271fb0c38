import { parentPort, workerData } from 'node:worker_threads';
import sharp from 'sharp';
import { DicomProblem } from '../../dicom/problem.ts';
import { createCodecs } from './codecs.ts';
import { layDown, takeInHand } from './in-hand.ts';
import { inspectFile } from './inspect.ts';
import { inspectPicture } from './inspect-picture.ts';
import type { JobMessage, JobName, JobReply, JobRequest, Jobs } from './jobs.ts';
import { makeRendition } from './make-rendition.ts';
import { createFileOpener } from './opened-file.ts';
import { pictureThumbnail } from './picture-thumbnail.ts';
import { pictureToDicom } from './picture-to-dicom.ts';
import { makeThumbnail } from './thumbnail.ts';

const { maxFileBytes } = workerData as { readonly maxFileBytes: number };
const codecs = createCodecs();
const open = createFileOpener(maxFileBytes);
// The pool has one thread per processor already.
sharp.concurrency(1);
sharp.cache(false);

const run = async ({ name, ask }: JobRequest): Promise<Jobs[JobName]['answer']> => {
  switch (name) {
    case 'inspect':
      return await inspectFile(ask.path, maxFileBytes, codecs);
    case 'thumbnail':
      return await makeThumbnail(await open(ask.path), ask, codecs);
    case 'pictureThumbnail':
      return await pictureThumbnail(ask.path, ask, maxFileBytes);
    case 'rendition':
      return await makeRendition(await open(ask.path), ask, codecs);
    case 'inspectPicture':
      return await inspectPicture(ask.path, maxFileBytes);
    case 'pictureToDicom':
      return { bytes: await pictureToDicom(ask.path, ask.identity, maxFileBytes) };
  }
};

/** Bytes travel without being copied. */
const transferOf = (reply: JobReply): ArrayBuffer[] => {
  if (!('answer' in reply) || !('bytes' in reply.answer)) return [];
  const { buffer } = reply.answer.bytes;
  return buffer instanceof ArrayBuffer ? [buffer] : [];
};

parentPort?.on('message', async ({ id, request, mark }: JobMessage) => {
  let reply: JobReply;
  takeInHand(mark);
  try {
    reply = { id, answer: await run(request) };
  } catch (error) {
    if (error instanceof DicomProblem) reply = { id, problem: { code: error.code, detail: error.detail } };
    else reply = { id, failure: error instanceof Error ? error.message : 'unknown' };
  }
  layDown(mark);
  parentPort?.postMessage(reply, transferOf(reply));
});

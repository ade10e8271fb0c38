import { parentPort, workerData } from 'node:worker_threads';
import sharp from 'sharp';
import { DicomProblem } from '../../dicom/problem.ts';
import { createCodecs } from './codecs.ts';
import { inspectFile } from './inspect.ts';
import type { JobMessage, JobName, JobReply, JobRequest, Jobs } from './jobs.ts';
import { pictureToDicom } from './picture-to-dicom.ts';
import { makeThumbnail } from './thumbnail.ts';

const { maxFileBytes } = workerData as { readonly maxFileBytes: number };
const codecs = createCodecs();
// The pool has one thread per processor already.
sharp.concurrency(1);
sharp.cache(false);

const run = async ({ name, ask }: JobRequest): Promise<Jobs[JobName]['answer']> => {
  switch (name) {
    case 'inspect':
      return await inspectFile(ask.path, maxFileBytes, codecs);
    case 'thumbnail':
      return await makeThumbnail(ask.path, ask, maxFileBytes, codecs);
    case 'pictureToDicom':
      return { bytes: await pictureToDicom(ask.path, ask.identity, maxFileBytes) };
  }
};

/** Bytes travel without being copied. */
const transferOf = (reply: JobReply): ArrayBuffer[] =>
  'answer' in reply && 'bytes' in reply.answer && reply.answer.bytes.buffer instanceof ArrayBuffer
    ? [reply.answer.bytes.buffer]
    : [];

parentPort?.on('message', async ({ id, request }: JobMessage) => {
  let reply: JobReply;
  try {
    reply = { id, answer: await run(request) };
  } catch (error) {
    if (error instanceof DicomProblem) reply = { id, problem: { code: error.code, detail: error.detail } };
    else reply = { id, failure: error instanceof Error ? error.message : 'unknown' };
  }
  parentPort?.postMessage(reply, transferOf(reply));
});

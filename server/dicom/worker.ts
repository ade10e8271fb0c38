import { parentPort, workerData } from 'node:worker_threads';
import sharp from 'sharp';
import { DicomProblem } from '../../dicom/problem.ts';
import { StorageError } from '../storage/file-store.ts';
import { createCodecs } from './codecs.ts';
import { removeMark, writeMark } from './crash-marks.ts';
import { encapsulatedPdf } from './encapsulated-pdf.ts';
import { inspectFile } from './inspect.ts';
import { inspectPicture } from './inspect-picture.ts';
import { inspectVideo } from './inspect-video.ts';
import type { JobMessage, JobName, JobReply, JobRequest, Jobs } from './jobs.ts';
import { makeRendition } from './make-rendition.ts';
import { createFileOpener } from './opened-file.ts';
import { pdfToDicom } from './pdf-to-dicom.ts';
import { pictureThumbnail } from './picture-thumbnail.ts';
import { pictureToDicom } from './picture-to-dicom.ts';
import { renderFrame } from './render-frame.ts';
import { frameBytes } from './stored-frame.ts';
import { storedVideo } from './stored-video.ts';
import { makeThumbnail } from './thumbnail.ts';
import { videoToDicom } from './video-to-dicom.ts';

const { maxFileBytes } = workerData as { readonly maxFileBytes: number };
const codecs = createCodecs();
const open = createFileOpener(maxFileBytes);
// The pool already has one thread per processor.
sharp.concurrency(1);
sharp.cache(false);

const run = async ({ name, input }: JobRequest): Promise<Jobs[JobName]['output']> => {
  switch (name) {
    case 'inspect':
      return await inspectFile(input, maxFileBytes, codecs);
    case 'thumbnail':
      return await makeThumbnail(await open(input), input, codecs);
    case 'pictureThumbnail':
      return await pictureThumbnail(input, input, maxFileBytes);
    case 'rendition':
      return await makeRendition(await open(input), input, codecs);
    case 'frame':
      return { bytes: await frameBytes(await open(input), input, codecs) };
    case 'renderedFrame':
      return { bytes: await renderFrame(await open(input), input, codecs) };
    case 'encapsulatedPdf':
      return { bytes: await encapsulatedPdf(input, maxFileBytes) };
    case 'pdfToDicom':
      return { bytes: await pdfToDicom(input, input.identity, maxFileBytes) };
    case 'inspectPicture':
      return await inspectPicture(input, maxFileBytes);
    case 'pictureToDicom':
      return { bytes: await pictureToDicom(input, input.identity, maxFileBytes) };
    case 'inspectVideo':
      return await inspectVideo(input, maxFileBytes);
    case 'videoToDicom':
      return { bytes: await videoToDicom(input, input.identity, maxFileBytes) };
    case 'storedVideo':
      return { bytes: await storedVideo(input, maxFileBytes) };
  }
};

/** Transfers the bytes without copying. */
const transferOf = (reply: JobReply): ArrayBuffer[] => {
  if (!('output' in reply) || !('bytes' in reply.output)) return [];
  const { buffer } = reply.output.bytes;
  return buffer instanceof ArrayBuffer ? [buffer] : [];
};

parentPort?.on('message', async ({ id, request, mark }: JobMessage) => {
  let reply: JobReply;
  writeMark(mark);
  try {
    reply = { id, output: await run(request) };
  } catch (error) {
    if (error instanceof DicomProblem) reply = { id, problem: { code: error.code, detail: error.detail } };
    else if (error instanceof StorageError) reply = { id, damaged: error.message };
    else reply = { id, failure: error instanceof Error ? error.message : 'unknown' };
  }
  removeMark(mark);
  parentPort?.postMessage(reply, transferOf(reply));
});

import type { FastifyInstance, FastifyReply } from 'fastify';
import { dicomWebFrames } from '../../../contract/dicomweb.ts';
import { DicomProblem } from '../../../dicom/problem.ts';
import type { DicomWebImageRow } from '../../db/stores/dicomweb-images.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import { bind } from '../../route-binding.ts';
import type { StoredImaging } from '../stored-imaging.ts';
import { acceptedBy, chosenBy } from './accept.ts';
import type { DicomWebDependencies } from './dependencies.ts';
import { type FrameForm, frameFormFor } from './frame-form.ts';
import { type Part, sendParts, startedFrom } from './multipart.ts';
import { decoded, requireFrames } from './requested-frame.ts';
import { requireImagesAt, retrievalOf } from './requested-images.ts';

/** @throws ProblemError 'not-acceptable' for values that the media type cannot hold */
const encodable = (error: unknown): never => {
  if (error instanceof DicomProblem && error.code === 'image-unsupported') throw new ProblemError('not-acceptable');
  throw error;
};

/** Sends frames of an image, counted from 1; each is decoded when the one before it is sent. @throws ProblemError, StorageError */
export const sendFrames = async (
  reply: FastifyReply,
  { storedImaging, row }: { readonly storedImaging: StoredImaging; readonly row: DicomWebImageRow },
  frames: readonly number[],
  { form, mediaType, transferSyntax, isSingle }: FrameForm,
): Promise<FastifyReply> => {
  const contentType = `${mediaType}; transfer-syntax=${transferSyntax}`;
  const bytesOf = (frame: number) => {
    const bytes = storedImaging.frame(row.sha256, { frame: frame - 1, form }, 'waited-for');
    return decoded(form === 'jpeg-ls' ? bytes.catch(encodable) : bytes);
  };
  if (isSingle) {
    const bytes = await bytesOf(frames[0] ?? 1);
    return reply.type(contentType).header('x-content-type-options', 'nosniff').send(Buffer.from(bytes));
  }
  const parts = async function* (): AsyncGenerator<Part> {
    for (const frame of frames) {
      const bytes = await bytesOf(frame);
      yield { contentType, open: async () => [bytes] };
    }
  };
  return sendParts(reply, mediaType, await startedFrom(parts()));
};

/** Registers the retrieval of frames (WADO-RS, PS3.18 10.4.1.1.6): as stored where the client accepts that, else decoded. */
export const dicomWebFrameRoutes = (server: FastifyInstance, deps: DicomWebDependencies): void => {
  const { binding, accessLog, storedImaging } = deps;

  bind(server, binding, dicomWebFrames, async ({ principal, params, query, request, reply }) => {
    const [row] = await requireImagesAt(deps, principal, params);
    const frames = requireFrames(params.frames, row);
    const form = chosenBy(acceptedBy(request, query.accept), frameFormFor(row.transfer_syntax, frames.length));
    await accessLog.note(retrievalOf(principal, params, row));
    return sendFrames(reply, { storedImaging, row }, frames, form);
  });
};

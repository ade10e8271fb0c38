import { imageExport, imagePrint, type PrintRequest } from '../../contract/print.ts';
import type { BodyOf } from '../../contract/route.ts';
import type { Call, WithBearer } from './call.ts';
import { readBody, requireSuccess } from './raw-response.ts';
import { sendRaw } from './send.ts';

const where = `${imagePrint.method} ${imagePrint.path}`;

/** A slow network needs long for the pictures of a full mouth. */
const timeoutMs = 180_000;

/** Creates the calls for pictures that leave the archive. Each throws ServiceError, or the reason of `signal` when it is aborted. */
export const createPictures = (origin: string, call: Call, withBearer: WithBearer) => ({
  /** Enters the export of images in the access log. Only then may their pictures be saved. */
  logExport: async (body: BodyOf<typeof imageExport>, signal: AbortSignal): Promise<void> => {
    await call(imageExport, { body, signal });
  },
  /** Returns the PDF of a print; `pictures` in the order of the request. */
  print: async (print: PrintRequest, pictures: readonly Blob[], signal: AbortSignal): Promise<Blob> => {
    const form = new FormData();
    form.append('print', JSON.stringify(print));
    for (const [index, picture] of pictures.entries()) form.append('files', picture, `${index + 1}.png`);
    const response = await withBearer((bearer) =>
      sendRaw(`${origin}${imagePrint.path}`, { method: imagePrint.method, bearer, body: form, signal, timeoutMs }),
    );
    await requireSuccess(response, where);
    return readBody(() => response.blob(), signal);
  },
});

export type Pictures = ReturnType<typeof createPictures>;

import type { FastifyRequest } from 'fastify';
import sharp from 'sharp';
import {
  type PrintedPicture,
  type PrintRequest,
  pictureBytes,
  picturePixels,
  printBytes,
  printRequest,
} from '../../../contract/print.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import { boundaryOf, type Part, readParts, textOf } from '../../web/multipart.ts';
import { requestChunks } from '../../web/request-chunks.ts';

/** Bytes of the JSON that describes a print. */
const maxRequestLength = 200_000;
const secondsAtMost = 20;
/** Pixels by which the shape of a picture may differ from the declared one: both are rounded. */
const shapeTolerance = 2;

const invalid = (fieldKey: 'print' | 'files') => new ProblemError('invalid-request', [{ fieldKey }]);

/** @throws ProblemError 'invalid-request' */
const requestIn = async (part: Part): Promise<PrintRequest> => {
  const text = await textOf(part.body, maxRequestLength);
  try {
    return printRequest.parse(JSON.parse(text));
  } catch {
    throw invalid('print');
  }
};

const bytesIn = async ({ body }: Part, maxBytes: number): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > maxBytes) throw new ProblemError('too-large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const hasShape = (decoded: { width: number; height: number }, { width, height }: PrintedPicture): boolean =>
  Math.abs((decoded.width * height) / width - decoded.height) <= shapeTolerance ||
  Math.abs((decoded.height * width) / height - decoded.width) <= shapeTolerance;

const decode = async (bytes: Buffer, declared: PrintedPicture): Promise<Buffer> => {
  const picture = sharp(bytes, { limitInputPixels: picturePixels, failOn: 'error' });
  const { format, width, height } = await picture.metadata();
  if ((format !== 'png' && format !== 'jpeg') || !hasShape({ width, height }, declared))
    throw new ProblemError('picture-not-readable');
  return picture
    .flatten({ background: '#000000' })
    .toColourspace('srgb')
    .png()
    .timeout({ seconds: secondsAtMost })
    .toBuffer();
};

/**
 * Returns a picture as PNG in sRGB, 8 bits a channel, without transparency and metadata.
 * @throws ProblemError 'picture-not-readable' when it is neither PNG nor JPEG, is damaged, or has another shape than declared
 */
const safePicture = (bytes: Buffer, declared: PrintedPicture): Promise<Buffer> =>
  decode(bytes, declared).catch(() => {
    throw new ProblemError('picture-not-readable');
  });

/**
 * Reads the form of a print: the field `print`, then the pictures. `admit` is called before any picture is read and throws when the caller may
 * not print these images.
 * @throws ProblemError 'invalid-request', 'too-large', 'picture-not-readable'
 */
export const readPrintForm = async <Admitted>(
  request: FastifyRequest,
  admit: (print: PrintRequest) => Promise<Admitted>,
): Promise<{ readonly print: PrintRequest; readonly admitted: Admitted; readonly pictures: readonly Buffer[] }> => {
  const boundary = boundaryOf(request.headers['content-type']);
  if (boundary === null) throw invalid('print');
  let known: { readonly print: PrintRequest; readonly admitted: Admitted } | null = null;
  let left = printBytes;
  const pictures: Buffer[] = [];
  for await (const part of readParts(requestChunks(request.raw), boundary)) {
    if (part.fileName === null) {
      if (part.name !== 'print' || known) throw invalid('print');
      const print = await requestIn(part);
      known = { print, admitted: await admit(print) };
      continue;
    }
    const declared = known?.print.pictures[pictures.length];
    if (!declared) throw invalid(known ? 'files' : 'print');
    const bytes = await bytesIn(part, Math.min(pictureBytes, left));
    left -= bytes.length;
    pictures.push(await safePicture(bytes, declared));
  }
  if (!known) throw invalid('print');
  if (pictures.length !== known.print.pictures.length) throw invalid('files');
  return { ...known, pictures };
};

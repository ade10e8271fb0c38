import type { Codecs } from '../../dicom/codecs.ts';
import { decodeFrame } from '../../dicom/decode.ts';
import { reductionFor } from '../../dicom/rendition/reduce.ts';
import { convertedRendition, frameOf, isFast, reducedRendition } from './make-rendition.ts';
import type { OpenedFile } from './opened-file.ts';
import { drawThumbnail, type Thumbnail, type ThumbnailOptions } from './thumbnail.ts';

/** What is made of an image before anybody asks. A rendition is null where none is kept: its file serves as well. */
export interface Prepared {
  readonly thumbnail: Thumbnail;
  readonly full: Uint8Array | null;
  readonly reduced: Uint8Array | null;
}

const orNull = (rendition: Promise<Uint8Array>) => rendition.catch(() => null);

/**
 * The thumbnail and the renditions of the first frame, all from one decoding.
 * @throws DicomProblem when no thumbnail can be made
 */
export const prepare = async (opened: OpenedFile, options: ThumbnailOptions, codecs: Codecs): Promise<Prepared> => {
  const { description, codestream } = frameOf(opened, 0);
  const decoded = await decodeFrame(description, codestream, codecs);
  const thumbnail = await drawThumbnail(description, decoded, options);
  // Neither may cost the thumbnail: what is not made now is made when somebody asks for it.
  const [full, reduced] = [
    isFast(description, codestream) ? null : await orNull(convertedRendition(description, decoded, 0, codecs)),
    reductionFor(description) > 1 ? await orNull(reducedRendition(description, decoded, 0, codecs)) : null,
  ];
  return { thumbnail, full, reduced };
};

import type { OverlayPlanes } from '../../../dicom/overlay-planes.ts';
import { type PackedRendition, readPackedRendition } from '../../../dicom/rendition/read-packed.ts';

/** One encoded frame. Its payload may be transferred. */
export interface EncodedImage
  extends Pick<
    PackedRendition,
    'level' | 'reduction' | 'description' | 'stored' | 'range' | 'coded' | 'payload' | 'frame'
  > {
  readonly overlayPlanes: OverlayPlanes;
  /** Bits of the planes are deflated; the decode worker inflates them. */
  readonly arePlanesPacked: boolean;
}

/** Reads a rendition of the archive. @throws DicomProblem when the bytes are malformed */
export const frameOfRendition = (bytes: Uint8Array): EncodedImage => {
  const { packedPlanes, ...rendition } = readPackedRendition(bytes);
  return { ...rendition, overlayPlanes: packedPlanes, arePlanesPacked: true };
};

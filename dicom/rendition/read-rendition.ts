import { inflated } from '../inflate.ts';
import type { OverlayPlane, OverlayPlanes } from '../overlay-planes.ts';
import { DicomProblem } from '../problem.ts';
import { readPackedRendition } from './read-packed.ts';
import type { Rendition } from './rendition.ts';

const unpackedPlane = (plane: OverlayPlane): OverlayPlane => {
  const length = Math.ceil((plane.width * plane.height) / 8);
  const bits = inflated(plane.bits, length, 'overlay');
  if (bits.length < length) throw new DicomProblem('truncated', 'an overlay plane of the rendition has too few bits');
  return { ...plane, bits };
};

/** Inflates the overlay planes of a rendition. @throws DicomProblem 'malformed', 'truncated', 'too-large' */
export const unpackedPlanes = ({ planes, incomplete }: OverlayPlanes): OverlayPlanes => ({
  planes: planes.map(unpackedPlane),
  incomplete,
});

/**
 * Reads what `writeRendition` wrote. The payload is a view of `bytes`.
 * @throws DicomProblem 'malformed', 'truncated'; the detail describes the error
 */
export const readRendition = (bytes: Uint8Array): Rendition => {
  const { packedPlanes, ...rendition } = readPackedRendition(bytes);
  return { ...rendition, overlayPlanes: unpackedPlanes(packedPlanes) };
};

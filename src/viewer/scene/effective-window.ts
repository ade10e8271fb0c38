import type { LoadedImage } from '../decode/loaded-image.ts';
import type { ResolvedDisplay, WindowChoice } from './scene.ts';

interface DisplayedImage {
  readonly image: Pick<LoadedImage, 'voiLuts' | 'range'>;
  readonly drawn: Pick<ResolvedDisplay, 'voi'>;
}

/** Returns the window of a display; for a VOI LUT, the window that spans its input values. */
export const effectiveWindow = ({ image, drawn }: DisplayedImage): WindowChoice => {
  if (drawn.voi.kind === 'window') return drawn.voi;
  const lut = image.voiLuts[drawn.voi.index]?.lut;
  const first = lut?.firstInput ?? image.range.low;
  const length = lut?.values.length ?? image.range.high - image.range.low + 1;
  return { kind: 'window', centre: first + length / 2, width: Math.max(1, length), function: 'LINEAR' };
};

/** LINEAR is undefined below a width of 1 (DICOM PS3.3 C.11.2.1.2.1). */
export const minimumWidth = ({ function: curve }: WindowChoice, range: LoadedImage['range']): number =>
  curve === 'LINEAR' ? 1 : Math.max((range.high - range.low) / 65_536, 1e-6);

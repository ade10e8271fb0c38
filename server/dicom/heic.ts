import { createRequire } from 'node:module';
import sharp from 'sharp';
import { DicomProblem } from '../../dicom/problem.ts';
import { withProfile } from './colour-profile.ts';

interface HeifImage {
  get_width(): number;
  get_height(): number;
  is_primary(): number | boolean;
  /** Decodes to RGBA with 8 bits, rotated as the file says. The callback receives null on failure. */
  display(
    target: { data: Uint8ClampedArray; width: number; height: number },
    done: (shown: object | null) => void,
  ): void;
}
interface Libheif {
  readonly HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] };
}

const require = createRequire(import.meta.url);

/** Loads a module of its own for each picture, because WebAssembly memory never shrinks. */
const load = (): Libheif => (require('libheif-js/libheif-wasm/libheif-bundle.js') as () => Libheif)();

const damaged = () => new DicomProblem('picture-damaged', 'the picture is damaged');

/**
 * Decodes a HEIC picture to an upright PNG of its own colours. sharp reads the metadata of HEIC, but not its HEVC pixels.
 * @throws DicomProblem 'picture-damaged'
 */
export const heicToPng = async (bytes: Uint8Array, profile: Uint8Array | undefined): Promise<Uint8Array> => {
  const images = new (load().HeifDecoder)().decode(bytes);
  const image = images.find((one) => one.is_primary()) ?? images[0];
  if (!image) throw damaged();
  const [width, height] = [image.get_width(), image.get_height()];
  const data = new Uint8ClampedArray(width * height * 4);
  const shown = await new Promise((done) => image.display({ data, width, height }, done));
  if (!shown) throw damaged();
  const png = await sharp(data, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .png({ compressionLevel: 0 })
    .toBuffer();
  return profile ? withProfile(png, profile) : png;
};

import { createImages, createStage, type ImageRequest, type LoadedImage, sceneOf } from '../../../src/viewer/index.ts';
import { hostOf } from './shader-case.ts';

const bytesAt = async (address: string, signal?: AbortSignal) => {
  const reply = await fetch(address, signal ? { signal } : {});
  if (!reply.ok) throw new Error(`${address} replied ${reply.status}`);
  return reply.arrayBuffer();
};

const differing = (one: ArrayLike<number>, other: ArrayLike<number>) => {
  let count = Math.abs(one.length - other.length);
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) count++;
  return count;
};

/** Replacer of JSON.stringify that sorts properties by name. */
const sortedProperties = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value;

/** The properties of an image except its values and level. */
const propertiesOf = ({
  pixels,
  key,
  level,
  pixelWidth,
  pixelHeight,
  reduction,
  sizeBytes,
  ...properties
}: LoadedImage) => JSON.stringify(properties, sortedProperties);

export interface RenditionCase {
  /** URLs of the DICOM file, of its renditions, and of the expected values of the reduced rendition (float64). */
  readonly file: string;
  readonly full: string;
  readonly reduced: string;
  readonly means: string;
}

/** Loads a file and its renditions as the viewer does; returns the number of differing values, and properties of the images. */
export const compareRenditions = async ({ file, full, reduced, means }: RenditionCase) => {
  const addresses: Readonly<Record<string, string>> = { full, reduced };
  const renditions = createImages({
    loadBytes: (_, { level }, signal) => bytesAt(addresses[level] ?? '', signal),
    workers: 1,
  });
  const files = createImages({ loadBytes: (key, _, signal) => bytesAt(key, signal), workers: 1 });
  const [fullImage, reducedImage, dicomImage] = [
    await renditions.load('a'),
    await renditions.load('a', 1, { level: 'reduced' }),
    await files.load(file),
  ];
  const expected = new Float64Array(await bytesAt(means));
  const channels = reducedImage.pixels.format === 'rgba8' ? 4 : 1;
  const result = {
    full: differing(fullImage.pixels.values, dicomImage.pixels.values),
    reduced: differing(
      channels === 1 ? reducedImage.pixels.values : reducedImage.pixels.values.filter((_, at) => at % 4 < 3),
      expected,
    ),
    sameProperties:
      propertiesOf(fullImage) === propertiesOf(dicomImage) && propertiesOf(reducedImage) === propertiesOf(dicomImage),
    level: `${reducedImage.level} ${reducedImage.reduction} ${reducedImage.pixelWidth} x ${reducedImage.pixelHeight} of ${reducedImage.width} x ${reducedImage.height}`,
    format: fullImage.pixels.format,
    planes: fullImage.overlayPlanes.planes.map(({ bits }) => [...bits]),
  };
  renditions.dispose();
  files.dispose();
  return result;
};

/**
 * Shows a mount of `count` images on 1600 x 1000 device pixels, then only the first of them at 1:1. Returns what was loaded and the cache usage.
 */
export const levelsLoadedByMount = async (address: string, count: number) => {
  const loads: string[] = [];
  const images = createImages({
    loadBytes: (key, { level }: ImageRequest, signal) => {
      loads.push(`${key} ${level}`);
      return bytesAt(`${address}-${level}`, signal);
    },
  });
  const host = hostOf({ width: 1600, height: 1000 });
  const stage = createStage(host, { images });
  const columns = 5;
  const rows = Math.ceil(count / columns);
  const mounted = Array.from({ length: count }, (_, index) => {
    const place = {
      x: (index % columns) / columns,
      y: Math.floor(index / columns) / rows,
      width: 1 / columns,
      height: 1 / rows,
    };
    const id = `image ${index}`;
    return sceneOf(id, { id, placement: place }).images;
  }).flat();
  const scene = { ...sceneOf('image 0'), images: mounted };
  stage.show(scene);
  await stage.snapshot();
  const inMount = { loads: loads.splice(0).sort(), ...images.cacheUsage() };
  stage.show(sceneOf('image 0', { id: 'image 0', view: { centreX: 600, centreY: 600, scale: 1 } }));
  await stage.snapshot();
  const alone = { loads: loads.splice(0), ...images.cacheUsage() };
  stage.dispose();
  const closed = images.cacheUsage();
  images.forgetAll();
  const forgotten = images.cacheUsage();
  images.dispose();
  host.remove();
  return { inMount, alone, closed, forgotten };
};

/**
 * Opens `count` patients of six images one after another, then the last one again. Returns the largest size of the cache in bytes, and the
 * number of loads of the last one at its second opening.
 */
export const openPatients = async (address: string, first: number, count: number, cacheBytes: number) => {
  let loads = 0;
  let largest = 0;
  const images = createImages({
    cacheBytes,
    loadBytes: (_, { level }, signal) => {
      loads += 1;
      return bytesAt(`${address}-${level}`, signal);
    },
  });
  const open = async (patient: number) => {
    const host = hostOf({ width: 600, height: 400 });
    const stage = createStage(host, { images });
    const mounted = Array.from({ length: 6 }, (_, index) => {
      const id = `${patient}-${index}`;
      const place = { x: (index % 3) / 3, y: index < 3 ? 0 : 0.5, width: 1 / 3, height: 0.5 };
      return sceneOf(id, { id, placement: place }).images;
    }).flat();
    stage.show({ ...sceneOf('any'), images: mounted });
    await stage.snapshot();
    stage.dispose();
    host.remove();
    largest = Math.max(largest, images.cacheUsage().bytes);
  };
  for (let patient = first; patient < first + count; patient++) await open(patient);
  loads = 0;
  await open(first + count - 1);
  images.dispose();
  return { largest, loadsAgain: loads };
};

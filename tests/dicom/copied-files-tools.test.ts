import { describe, expect, it } from 'vitest';
import { fixtureRecipe } from '../../demo/fixtures.ts';
import { drawRadiograph } from '../../demo/radiograph.ts';
import { cleanedSamples } from '../../dicom/deidentify/clean-samples.ts';
import { cleanedFragments } from '../../dicom/deidentify/cleaned-fragments.ts';
import { deidentify } from '../../dicom/deidentify/deidentify.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { describeImage } from '../../dicom/image-description.ts';
import { DicomProblem } from '../../dicom/problem.ts';
import { transferSyntaxes } from '../../dicom/transfer-syntax.ts';
import { fileMeta } from '../../dicom/write/file-meta.ts';
import { deflatedFile, patchedBytes, replaceElements } from '../../dicom/write/replace-elements.ts';
import { createCodecs } from '../../server/dicom/codecs.ts';
import { frameBytes } from '../../server/dicom/stored-frame.ts';
import { correctionsOf } from '../../server/resource/dicomweb/recorded-identity.ts';
import { plainObject } from '../../server/resource/plain-object.ts';
import { bytesOf } from './build-dicom.ts';
import { corpusBytes, corpusFiles } from './corpus.ts';
import { hasValidator, validatorErrors } from './validator.ts';

const codecs = createCodecs();
const replacements = new Map<string, string>();
const replaceUid = (uid: string): string => {
  const known = replacements.get(uid) ?? `2.25.${replacements.size + 1}`;
  replacements.set(uid, known);
  return known;
};

const imageOf = (bytes: Uint8Array) => {
  const file = readDicomFile(bytes);
  const description = describeImage(file);
  if (!description) throw new DicomProblem('no-pixel-data', 'no image');
  return { file, description };
};

const plain = async (bytes: Uint8Array): Promise<Uint8Array> => {
  const opened = imageOf(bytes);
  const imaging = {
    frame: (_: string, options: Parameters<typeof frameBytes>[1]) => frameBytes(opened, options, codecs),
  };
  const copy = await plainObject(imaging, { sha256: '', isImage: true, file: opened.file }, true);
  const { dataSet } = opened.file;
  const uid = (tag: number) => dataSet.code(tag) ?? '';
  const parts = [...fileMeta(uid(0x00080016), uid(0x00080018), transferSyntaxes.explicitLittleEndian)];
  for await (const part of copy.open()) parts.push(part);
  return bytesOf(...parts);
};

async function* from(bytes: Uint8Array, first: number) {
  yield bytes.subarray(first);
}

const anonymised = async (bytes: Uint8Array): Promise<Uint8Array> => {
  const file = readDicomFile(bytes);
  const { start, pixels, description } = deidentify(file, { pseudonym: 'ANON001', replaceUid });
  const { offset, lengthBytes } = pixels;
  const { bytes: source } = file.dataSet.source;
  const stored = from(source.subarray(0, lengthBytes === null ? source.length : offset + lengthBytes), offset);
  const cleaned = lengthBytes === null ? cleanedFragments(stored, description) : cleanedSamples(stored, description);
  const parts = [start];
  for await (const part of cleaned) parts.push(part);
  return bytesOf(...parts, new Uint8Array((lengthBytes ?? 0) % 2));
};

/** The image of another patient, in another study and series. */
const records = {
  id: '1',
  customer_id: '1',
  patient_id: '1',
  study_id: '1',
  series_id: '1',
  sha256: '',
  size_bytes: 0,
  kind: 'image' as const,
  frames: 1,
  rows: 1,
  columns: 1,
  transfer_syntax: '',
  sop_instance_uid: '2.25.7',
  sop_class_uid: '2.25.8',
  study_uid: '2.25.9',
  series_uid: '2.25.10',
  study_date: null,
  description: '',
  accession_number: null,
  personal_number: '20010203-1234',
  first_name: 'Øyvind',
  last_name: 'Łukasz',
  birth_date: '2001-02-03',
  sex: null,
  file_error: null,
};

const corrected = (bytes: Uint8Array): Uint8Array => {
  const file = readDicomFile(bytes);
  const corrections = correctionsOf(file, records);
  if (!corrections) throw new Error('nothing to correct');
  const patches = replaceElements(file.dataSet, corrections);
  return file.transferSyntaxUid === transferSyntaxes.deflatedLittleEndian
    ? deflatedFile(file, patches)
    : patchedBytes(bytes, patches);
};

const identity = {
  patient: {
    patientId: '19800101-1234',
    firstName: 'Åsa',
    lastName: 'Öst',
    birthDate: '1980-01-01',
    sex: 'F' as const,
  },
  institutionName: 'Tandkliniken',
  study: { uid: '2.25.1', description: 'Status', accessionNumber: '1', startedAt: '2026-01-02T10:00:00' },
  series: { uid: '2.25.2', number: 1, description: 'Bitewing' },
  image: { sopInstanceUid: '2.25.3', number: 1, acquiredAt: '2026-01-02T10:00:00', comment: '', teeth: [36] },
};

const drawn = [
  'io-12bit',
  'io-mono1',
  'io-rle',
  'io-htj2k',
  'io-big-endian',
  'cr-deflated',
  'px-16bit-jls',
  'ct-signed-j2k',
  'photo-jpeg',
] as const;
/** Files that are not imported, and deflated ones that dciodvfy cannot read. */
const unread = /^(bad-input|deflated|dental-raster|dicomdir)\//;
const originals: readonly (readonly [string, () => Promise<Uint8Array> | Uint8Array])[] = [
  ...drawn.map((name) => [name, () => drawRadiograph(fixtureRecipe(name), identity)] as const),
  ...corpusFiles()
    .filter((name) => !unread.test(name))
    .map((name) => [name, () => corpusBytes(name)] as const),
];
const copies = { plain, anonymised, corrected };

const projectionsAndPhotographs = /^1\.2\.840\.10008\.5\.1\.4\.1\.1\.(1(\.[13])?|2|3\.1|6\.1|7(\.\d)?|77\.1\.4)$/;
/**
 * Anonymised copies drop what other kinds of images require (magnetic resonance, enhanced and ophthalmic images, segmentations, doses), and
 * body parts outside the head.
 */
const isClaimed = (kind: keyof typeof copies, original: Uint8Array): boolean => {
  const { dataSet } = readDicomFile(original, { stopAtPixelData: true });
  if (dataSet.code(0x00080018) === null) return false;
  if (kind !== 'anonymised') return true;
  return projectionsAndPhotographs.test(dataSet.code(0x00080016) ?? '') && dataSet.code(0x00180015) !== 'CHEST';
};

/** Returns a copy; null where the archive makes none of such a file. */
const copyOf = async (kind: keyof typeof copies, original: Uint8Array): Promise<Uint8Array | null> => {
  try {
    return await copies[kind](original);
  } catch (error) {
    if (error instanceof DicomProblem) return null;
    throw error;
  }
};

/** Replaced UIDs are no other errors. */
const errorsOf = async (bytes: Uint8Array): Promise<readonly string[]> =>
  (await validatorErrors(bytes)).map((line) => line.replace(/<[\d.]+>/g, '<value>'));

describe.skipIf(!hasValidator).each(Object.keys(copies) as (keyof typeof copies)[])('a copy: %s', (kind) => {
  it.each(originals)('of %s has no error of dciodvfy that the file lacks', async (_, open) => {
    const original = await open();
    const copy = isClaimed(kind, original) ? await copyOf(kind, original) : null;
    if (!copy) return;
    const known = new Set(await errorsOf(original));
    expect((await errorsOf(copy)).filter((error) => !known.has(error))).toEqual([]);
  });
});

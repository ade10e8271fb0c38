import { cleanedSamples } from '../../dicom/deidentify/clean-samples.ts';
import { deidentify } from '../../dicom/deidentify/deidentify.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { bytesOf, element, explicitBig, explicitLittle, implicitLittle, type Syntax, us } from './build-dicom.ts';

/** What must never be in a copy: a name, a personal number, a birth date, a comment, a clinic, an operator. */
export const secrets = [
  'HEMLIG',
  'Hemlig',
  '198001011234',
  '19800101',
  '19800101-1234',
  'Kommentar',
  'Kliniken',
  'Operatör',
];

export const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
export const syntaxes: Readonly<Record<string, readonly [Syntax, string]>> = {
  'explicit little endian': [explicitLittle, '1.2.840.10008.1.2.1'],
  'implicit little endian': [implicitLittle, '1.2.840.10008.1.2'],
  'explicit big endian': [explicitBig, '1.2.840.10008.1.2.2'],
};

const replaced = new Map<string, string>();
const replaceUid = (uid: string): string => {
  const known = replaced.get(uid) ?? `2.25.${replaced.size + 1}`;
  replaced.set(uid, known);
  return known;
};
export const options = { pseudonym: 'ANON001', replaceUid };

export const chunked = async function* (bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
};

/** The whole copy of a file with native pixels. */
export const copyOf = async (bytes: Uint8Array): Promise<Uint8Array> => {
  const file = readDicomFile(bytes);
  const { start, pixels, description } = deidentify(file, options);
  const { offset, lengthBytes } = pixels;
  if (lengthBytes === null) throw new Error('the pixels are compressed');
  const parts = [start];
  const source = chunked(file.dataSet.source.bytes.subarray(offset, offset + lengthBytes), 3);
  for await (const part of cleanedSamples(source, description)) parts.push(part);
  return bytesOf(...parts, new Uint8Array(lengthBytes % 2));
};

export const found = (bytes: Uint8Array): string[] => {
  const text = Buffer.from(bytes).toString('latin1');
  const utf8 = (secret: string) => Buffer.from(secret).toString('latin1');
  return secrets.filter((secret) => text.includes(secret) || text.includes(utf8(secret)));
};

export const pixels = Uint8Array.from({ length: 12 }, (_, index) => index);

export const image = (syntax: Syntax, more: readonly (readonly [number, Uint8Array])[] = []): Uint8Array => {
  const elements: (readonly [number, Uint8Array])[] = [
    [0x00080016, element(0x00080016, 'UI', '1.2.840.10008.5.1.4.1.1.1.3', syntax)],
    [0x00080018, element(0x00080018, 'UI', '1.2.3', syntax)],
    [0x0020000d, element(0x0020000d, 'UI', '1.2.4', syntax)],
    [0x0020000e, element(0x0020000e, 'UI', '1.2.5', syntax)],
    [0x00280002, us(0x00280002, 1, syntax)],
    [0x00280004, element(0x00280004, 'CS', 'MONOCHROME2', syntax)],
    [0x00280010, us(0x00280010, 2, syntax)],
    [0x00280011, us(0x00280011, 3, syntax)],
    [0x00280100, us(0x00280100, 16, syntax)],
    [0x00280101, us(0x00280101, 12, syntax)],
    [0x00280102, us(0x00280102, 11, syntax)],
    [0x00280103, us(0x00280103, 0, syntax)],
    [0x7fe00010, element(0x7fe00010, 'OW', pixels, syntax)],
  ];
  const byTag = new Map([...elements, ...more]);
  return bytesOf(
    ...Array.from(byTag)
      .sort(([one], [other]) => one - other)
      .map(([, bytes]) => bytes),
  );
};

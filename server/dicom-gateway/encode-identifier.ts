import type { DicomJson, JsonAttribute, JsonValue } from '../../dicom/dicom-json.ts';
import { type Chunks, concat, elementHeader } from '../../dicom/write/elements.ts';

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);
const isLatin1 = (text: string): boolean => /^[\0-\xff]*$/.test(text);

/** Returns the character set that a text needs; null for ASCII. Latin-1 is what old devices know. */
const characterSetOf = (text: string): 'ISO_IR 100' | 'ISO_IR 192' | null => {
  if (isAscii(text)) return null;
  return isLatin1(text) ? 'ISO_IR 100' : 'ISO_IR 192';
};

const textOf = (value: JsonValue): string => {
  if (value === null) return '';
  return typeof value === 'object' ? String(value.Alphabetic ?? '') : String(value);
};

const texts = ({ Value = [] }: JsonAttribute): string => Value.map(textOf).join('\\');

const valueBytes = (attribute: JsonAttribute, encoding: BufferEncoding): Buffer => {
  const { vr, Value = [] } = attribute;
  if (vr === 'US') {
    const bytes = Buffer.alloc(Value.length * 2);
    for (const [index, value] of Value.entries()) bytes.writeUInt16LE(Number(value), index * 2);
    return bytes;
  }
  const bytes = Buffer.from(texts(attribute), encoding);
  if (bytes.length % 2 === 0) return bytes;
  return Buffer.concat([bytes, Buffer.from(vr === 'UI' ? '\0' : ' ')]);
};

const characterSetTag = '00080005';

/** Encodes the attributes of a response, text and 16-bit numbers, in little endian order. Text is ASCII or Latin-1 where that is enough. */
export const encodeIdentifier = (json: DicomJson, explicitVr: boolean): Buffer => {
  const characterSet = characterSetOf(Object.values(json).map(texts).join(''));
  const encoding = characterSet === 'ISO_IR 192' ? 'utf8' : 'latin1';
  const all = characterSet ? { ...json, [characterSetTag]: { vr: 'CS', Value: [characterSet] } } : json;
  const chunks: Chunks = Object.entries(all)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([tag, attribute]) => {
      const bytes = valueBytes(attribute, encoding);
      const syntax = { explicitVr, littleEndian: true };
      return [elementHeader(Number.parseInt(tag, 16), attribute.vr, bytes.length, syntax, tag), bytes];
    });
  return Buffer.from(concat(chunks));
};

import type { DicomJson, JsonAttribute, JsonValue } from '../../dicom/dicom-json.ts';
import { type Chunks, concat, elementHeader, itemHeader } from '../../dicom/write/elements.ts';

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

const itemsOf = ({ vr, Value = [] }: JsonAttribute): readonly DicomJson[] =>
  vr === 'SQ' ? (Value as readonly DicomJson[]) : [];

const texts = ({ Value = [] }: JsonAttribute): string => Value.map(textOf).join('\\');

const allTexts = (json: DicomJson): string =>
  Object.values(json)
    .map((attribute) => (attribute.vr === 'SQ' ? itemsOf(attribute).map(allTexts).join('') : texts(attribute)))
    .join('');

interface TextEncoding {
  readonly encoding: BufferEncoding;
  readonly explicitVr: boolean;
}

const valueBytes = (attribute: JsonAttribute, how: TextEncoding): Buffer => {
  const { vr, Value = [] } = attribute;
  if (vr === 'SQ')
    return Buffer.concat(
      itemsOf(attribute).flatMap((item) => {
        const content = elementsOf(item, how);
        return [itemHeader(0xe000, content.length, true), content];
      }),
    );
  if (vr === 'US') {
    const bytes = Buffer.alloc(Value.length * 2);
    for (const [index, value] of Value.entries()) bytes.writeUInt16LE(Number(value), index * 2);
    return bytes;
  }
  const bytes = Buffer.from(texts(attribute), how.encoding);
  if (bytes.length % 2 === 0) return bytes;
  return Buffer.concat([bytes, Buffer.from(vr === 'UI' ? '\0' : ' ')]);
};

const elementsOf = (json: DicomJson, how: TextEncoding): Buffer => {
  const chunks: Chunks = Object.entries(json)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([tag, attribute]) => {
      const bytes = valueBytes(attribute, how);
      const syntax = { explicitVr: how.explicitVr, littleEndian: true };
      return [elementHeader(Number.parseInt(tag, 16), attribute.vr, bytes.length, syntax, tag), bytes];
    });
  return Buffer.from(concat(chunks));
};

const characterSetTag = '00080005';

/** Encodes the attributes of a response, text, 16-bit numbers and sequences, in little endian order. Text is ASCII or Latin-1 where that is enough. */
export const encodeIdentifier = (json: DicomJson, explicitVr: boolean): Buffer => {
  const characterSet = characterSetOf(allTexts(json));
  const encoding = characterSet === 'ISO_IR 192' ? 'utf8' : 'latin1';
  const all = characterSet ? { ...json, [characterSetTag]: { vr: 'CS', Value: [characterSet] } } : json;
  return elementsOf(all, { encoding, explicitVr });
};

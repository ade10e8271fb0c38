import { deflateRaw } from 'pako';
import type { DataSet, DicomElement } from '../data-set.ts';
import type { DicomFile } from '../file.ts';
import { tags } from '../tags.ts';
import { concat, even } from './elements.ts';

/** Bytes in place of those of the file from `from` to before `to`. */
export interface Patch {
  readonly from: number;
  readonly to: number;
  readonly bytes: Uint8Array;
}

/** A new value of a short text element; null: empty, `removed`: the element is left out. */
export type NewValue = { readonly vr: string; readonly text: string | null } | 'removed';

const longVrs = new Set(['OB', 'OD', 'OF', 'OL', 'OV', 'OW', 'SQ', 'SV', 'UC', 'UN', 'UR', 'UT', 'UV']);

/** Offset of the header of an element. */
const startOf = ({ source }: DataSet, { offset, vr }: DicomElement): number =>
  offset - (source.explicitVr && vr !== null && longVrs.has(vr) ? 12 : 8);

const isLatin1 = (text: string): boolean => /^[\0-\xff]*$/.test(text);
const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);
const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

/** Text that a character set lacks loses its marks, and else becomes a question mark. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^\0-\x7f]/gu, '?');

const encoded = (text: string, characterSet: string | null): Uint8Array => {
  if (characterSet?.endsWith('192')) return new TextEncoder().encode(text);
  return latin1(characterSet?.endsWith('100') && isLatin1(text) ? text : plain(text));
};

const elementBytes = ({ source }: DataSet, tag: number, vr: string, value: Uint8Array): Uint8Array => {
  const length = value.length + (value.length % 2);
  const bytes = new Uint8Array(8 + length).fill(vr === 'UI' ? 0 : 0x20);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, tag >>> 16, source.littleEndian);
  view.setUint16(2, tag & 0xffff, source.littleEndian);
  if (source.explicitVr) {
    bytes.set(latin1(vr), 4);
    view.setUint16(6, length, source.littleEndian);
  } else view.setUint32(4, length, source.littleEndian);
  bytes.set(value, 8);
  return bytes;
};

/** A file that names no character set gets the one that its new texts need. */
const withCharacterSet = (dataSet: DataSet, changes: ReadonlyMap<number, NewValue>): ReadonlyMap<number, NewValue> => {
  const texts = [...changes.values()].map((change) => (change === 'removed' ? '' : (change.text ?? ''))).join('');
  if (dataSet.code(tags.specificCharacterSet) !== null || isAscii(texts)) return changes;
  const text = isLatin1(texts) ? 'ISO_IR 100' : 'ISO_IR 192';
  return new Map([...changes, [tags.specificCharacterSet, { vr: 'CS', text }]]);
};

/**
 * Returns what changes in the bytes of a data set when elements are replaced, added or removed, by place. Text is written in the character set of the
 * file. Places of a deflated data set are those of the inflated one.
 */
export const replaceElements = (dataSet: DataSet, replaced: ReadonlyMap<number, NewValue>): readonly Patch[] => {
  const changes = withCharacterSet(dataSet, replaced);
  const given = changes.get(tags.specificCharacterSet);
  const characterSet = given && given !== 'removed' ? given.text : dataSet.code(tags.specificCharacterSet);
  const elements = [...dataSet.elements.values()];
  const last = elements.at(-1);
  // By tag, so that elements added at one place are in order: sorting by place is stable.
  const byTag = [...changes].toSorted(([one], [other]) => one - other);
  const patches = byTag.flatMap(([tag, change]): Patch[] => {
    const element = dataSet.elements.get(tag);
    const next = elements.find((one) => one.tag > tag);
    const before = next ? startOf(dataSet, next) : last ? last.offset + last.length : 0;
    const [from, to] = element ? [startOf(dataSet, element), element.offset + element.length] : [before, before];
    if (change === 'removed') return element ? [{ from, to, bytes: new Uint8Array(0) }] : [];
    return [{ from, to, bytes: elementBytes(dataSet, tag, change.vr, encoded(change.text ?? '', characterSet)) }];
  });
  return patches.toSorted((one, other) => one.from - other.from);
};

/** Returns the bytes with the patches applied. */
export const patchedBytes = (bytes: Uint8Array, patches: readonly Patch[]): Uint8Array => {
  const chunks: Uint8Array[] = [];
  let at = 0;
  for (const patch of patches) {
    chunks.push(bytes.subarray(at, patch.from), patch.bytes);
    at = patch.to;
  }
  return concat([...chunks, bytes.subarray(at)]);
};

/** Returns a file with a deflated data set with patches of the inflated one. */
export const deflatedFile = ({ meta, dataSet }: DicomFile, patches: readonly Patch[]): Uint8Array => {
  const last = meta ? [...meta.elements.values()].at(-1) : undefined;
  const start = meta?.source.bytes.subarray(0, (last?.offset ?? 0) + (last?.length ?? 0)) ?? new Uint8Array(0);
  return concat([start, even(deflateRaw(patchedBytes(dataSet.source.bytes, patches), { level: 4 }))]);
};

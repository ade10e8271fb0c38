import type { DataSet, DicomElement } from '../data-set.ts';
import { isPixelData } from '../read-elements.ts';
import { tags } from '../tags.ts';
import { vrOf } from '../vr-of.ts';
import { type Chunks, elementHeader, itemHeader, lengthOf } from './elements.ts';

export interface PlainOptions {
  /** Explicit or Implicit VR Little Endian. */
  readonly explicitVr: boolean;
  /** Elements in place of those of the data set. */
  readonly replaced: ReadonlyMap<number, { readonly vr: string; readonly value: Uint8Array }>;
  /** Elements that are left out. */
  readonly removed: ReadonlySet<number>;
}

const isGroupLength = (tag: number): boolean => (tag & 0xffff) === 0;

const isSequence = ({ vr, claimedLength, fragments }: DicomElement, ownVr: string): boolean =>
  ownVr === 'SQ' || (claimedLength === null && fragments === null && (vr === null || vr === 'UN'));

const plainElement = (dataSet: DataSet, element: DicomElement, explicitVr: boolean, isSigned: boolean): Chunks => {
  const { tag } = element;
  const vr = element.vr ?? vrOf(tag, isSigned);
  const encoding = { explicitVr, littleEndian: true };
  const name = 'An element';
  if (!isSequence(element, vr)) {
    const value = dataSet.bytes(tag) ?? new Uint8Array(0);
    return [elementHeader(tag, vr, value.length, encoding, name), value];
  }
  const items = dataSet.sequence(tag).flatMap((item): Chunks => {
    const content = [...item.elements.values()]
      .filter((inner) => !isGroupLength(inner.tag))
      .flatMap((inner) => plainElement(item, inner, explicitVr, isSigned));
    return [itemHeader(0xe000, lengthOf(content), true), ...content];
  });
  return [elementHeader(tag, 'SQ', lengthOf(items), encoding, name), ...items];
};

/**
 * Encodes the elements of a little endian data set up to its pixel data, and those behind it, in another VR encoding.
 * @throws RangeError for a value that the VR cannot hold; DicomProblem when a sequence is malformed
 */
export const plainElements = (dataSet: DataSet, { explicitVr, replaced, removed }: PlainOptions) => {
  const isSigned = dataSet.number(tags.pixelRepresentation, 'US') === 1;
  const all = new Set([...dataSet.elements.keys(), ...replaced.keys()]);
  const encoded = [...all]
    .filter((tag) => !isGroupLength(tag) && !removed.has(tag) && !isPixelData(tag))
    .toSorted((one, other) => one - other)
    .map((tag): { tag: number; chunks: Chunks } => {
      const given = replaced.get(tag);
      const element = dataSet.elements.get(tag);
      if (!given) return { tag, chunks: element ? plainElement(dataSet, element, explicitVr, isSigned) : [] };
      const header = elementHeader(tag, given.vr, given.value.length, { explicitVr, littleEndian: true }, 'An element');
      return { tag, chunks: [header, given.value] };
    });
  const chunksWhere = (isWanted: (tag: number) => boolean) =>
    encoded.filter(({ tag }) => isWanted(tag)).flatMap(({ chunks }) => chunks);
  return {
    before: chunksWhere((tag) => tag < tags.pixelData),
    after: chunksWhere((tag) => tag > tags.pixelData),
  };
};

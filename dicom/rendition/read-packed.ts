import type { CodedSize, ImageDescription } from '../image-model.ts';
import type { OverlayPlane, OverlayPlanes } from '../overlay-planes.ts';
import { DicomProblem } from '../problem.ts';
import { fixedLength, isRendition, renditionKinds, version } from './container.ts';
import { type Fields, fieldsOf } from './fields.ts';
import { readDescription, readStoredAs } from './read-description.ts';
import type { Rendition } from './rendition.ts';

/** A rendition whose overlay planes still have deflated bits. */
export interface PackedRendition extends Omit<Rendition, 'overlayPlanes'> {
  readonly packedPlanes: OverlayPlanes;
}

const headOf = (bytes: Uint8Array): Fields => {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new DicomProblem('malformed', 'the head of the rendition is no JSON');
  }
  return fieldsOf(json, 'head');
};

const readPlane = (fields: Fields, { rows, columns }: ImageDescription): OverlayPlane => {
  const x = fields.integer('x', 0, columns - 1);
  const y = fields.integer('y', 0, rows - 1);
  const width = fields.integer('width', 1, columns - x);
  const height = fields.integer('height', 1, rows - y);
  return { kind: fields.oneOf('kind', ['graphics', 'roi']), x, y, width, height, bits: fields.bytes('bits') };
};

const readPlanes = (fields: Fields | null, description: ImageDescription): OverlayPlanes =>
  fields
    ? {
        planes: fields.children('planes').map((plane) => readPlane(plane, description)),
        incomplete: fields.integer('incomplete', 0, 16),
      }
    : { planes: [], incomplete: 0 };

const readCoded = (fields: Fields | null, { rows, columns }: ImageDescription): CodedSize | null =>
  fields && { rows: fields.integer('rows', 1, rows), columns: fields.integer('columns', 1, columns) };

/** Checks that the size of the payload follows from the picture size and the reduction. */
const checkSize = ({ description, stored, level, reduction }: Omit<PackedRendition, 'payload'>): void => {
  const powerOfTwo = (reduction & (reduction - 1)) === 0;
  const fits =
    stored.rows === Math.ceil(description.rows / reduction) &&
    stored.columns === Math.ceil(description.columns / reduction);
  if (powerOfTwo && fits && reduction > 1 === (level === 'reduced')) return;
  throw new DicomProblem(
    'malformed',
    `a ${level} rendition of ${stored.columns} x ${stored.rows} is no ${reduction}th of ${description.columns} x ${description.rows}`,
  );
};

/**
 * Reads what `writeRendition` wrote, without inflating its overlay planes. The payload is a view of `bytes`.
 * @throws DicomProblem 'malformed', 'truncated'; the detail describes the error
 */
export const readPackedRendition = (bytes: Uint8Array): PackedRendition => {
  if (!isRendition(bytes)) throw new DicomProblem('malformed', 'the bytes are no rendition');
  if (bytes.length < fixedLength) throw new DicomProblem('truncated', 'the rendition ends in its first 16 bytes');
  if (bytes[4] !== version) {
    throw new DicomProblem('malformed', `the rendition is of version ${bytes[4]}, ${version} is known`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headEnd = fixedLength + view.getUint32(8, true);
  const end = headEnd + view.getUint32(12, true);
  if (end !== bytes.length) {
    throw new DicomProblem(
      end > bytes.length ? 'truncated' : 'malformed',
      `the rendition should have ${end} bytes, ${bytes.length} are there`,
    );
  }
  const head = headOf(bytes.subarray(fixedLength, headEnd));
  const range = head.childOrNull('range');
  const description = readDescription(head.child('description'));
  const read = {
    frame: head.integer('frame', 1, 0x7fffffff),
    level: head.oneOf('level', ['full', 'reduced']),
    reduction: head.integer('reduction', 1, 0x8000),
    kind: head.oneOf('kind', renditionKinds),
    description,
    stored: readStoredAs(head.child('stored')),
    range: range && { low: range.number('low'), high: range.number('high') },
    coded: readCoded(head.optionalChild('coded'), description),
    packedPlanes: readPlanes(head.optionalChild('overlayPlanes'), description),
  };
  checkSize(read);
  return { ...read, payload: bytes.subarray(headEnd) };
};

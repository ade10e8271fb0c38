import { deflateRaw } from 'pako';
import type { PixelSpacing } from '../image-model.ts';
import type { OverlayPlanes } from '../overlay-planes.ts';
import { fixedLength, magic, toBase64, version } from './container.ts';
import type { Rendition } from './rendition.ts';

const packed = (_name: string, value: unknown): unknown => {
  if (value instanceof Uint8Array) return { u8: toBase64(value) };
  if (value instanceof Uint16Array) {
    return { u16: toBase64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)) };
  }
  return typeof value === 'number' && !Number.isFinite(value) ? { number: String(value) } : value;
};

/** An older page or server knows two kinds of spacing, in `kind`; `basis` has the exact one. */
const writtenSpacing = (spacing: PixelSpacing | null) =>
  spacing && {
    ...spacing,
    kind: spacing.kind === 'detector' || spacing.kind === 'film' ? 'detector' : 'patient',
    basis: spacing.kind,
  };

/** Planes of text and lines are mostly empty. */
const writtenPlanes = ({ planes, incomplete }: OverlayPlanes) => ({
  planes: planes.map((plane) => ({ ...plane, bits: deflateRaw(plane.bits) })),
  incomplete,
});

/** Encodes a rendition in the format of `container.ts`. Requires a little endian machine. */
export const writeRendition = ({ payload, ...rest }: Rendition): Uint8Array => {
  const { description } = rest;
  const head = {
    ...rest,
    description: { ...description, spacing: writtenSpacing(description.spacing) },
    overlayPlanes: writtenPlanes(rest.overlayPlanes),
  };
  const json = new TextEncoder().encode(JSON.stringify(head, packed));
  const bytes = new Uint8Array(fixedLength + json.length + payload.length);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < magic.length; at++) bytes[at] = magic.charCodeAt(at);
  bytes[4] = version;
  view.setUint32(8, json.length, true);
  view.setUint32(12, payload.length, true);
  bytes.set(json, fixedLength);
  bytes.set(payload, fixedLength + json.length);
  return bytes;
};

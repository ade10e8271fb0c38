/*
 * The container of a rendition, little endian:
 *
 *   0  4 bytes  "DNTR"
 *   4  1 byte   version (1)
 *   5  3 bytes  0
 *   8  uint32   length of the head in bytes
 *  12  uint32   length of the payload in bytes
 *  16  head     UTF-8 JSON: everything of `Rendition` but its payload
 *      payload  to the last byte of the container
 *
 * Bits of overlay planes are deflated (RFC 1951).
 * In the head, tables of numbers are { "u8": base64 } or { "u16": base64, little endian }, and numbers that JSON lacks are { "number": "NaN" }.
 */
export const magic = 'DNTR';
export const version = 1;
export const fixedLength = 16;

export const renditionKinds = ['original', 'htj2k', 'raw'] as const;
export type RenditionKind = (typeof renditionKinds)[number];

/** Whether these bytes are a rendition, by the magic number. */
export const isRendition = (bytes: Uint8Array): boolean =>
  String.fromCharCode(...bytes.subarray(0, magic.length)) === magic;

const slice = 0x8000;

export const toBase64 = (bytes: Uint8Array): string => {
  let text = '';
  for (let at = 0; at < bytes.length; at += slice) text += String.fromCharCode(...bytes.subarray(at, at + slice));
  return btoa(text);
};

/** @throws DOMException when the text is not base64 */
export const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

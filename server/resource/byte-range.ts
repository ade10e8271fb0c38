import type { ByteRange } from '../storage/file-store.ts';

/**
 * Parses a `Range` header for a body of `sizeBytes` (RFC 9110 section 14): one range, `unsatisfiable`, or null for the whole body. Multiple
 * ranges and other units are answered with the whole body, as the RFC allows.
 */
export const requestedRange = (header: string | undefined, sizeBytes: number): ByteRange | 'unsatisfiable' | null => {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  if (!match) return null;
  const [, from = '', to = ''] = match;
  if (from === '' && to === '') return null;
  if (from === '') {
    const length = Math.min(Number(to), sizeBytes);
    return length === 0 ? 'unsatisfiable' : { first: sizeBytes - length, last: sizeBytes - 1 };
  }
  const first = Number(from);
  if (to !== '' && Number(to) < first) return null;
  if (first >= sizeBytes) return 'unsatisfiable';
  return { first, last: to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1) };
};

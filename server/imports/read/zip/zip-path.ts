import yauzl from 'yauzl';
import type { FileProblem } from '../../../../contract/imports.ts';

const utf8Flag = 0x800;
/** Same limit as for paths of files that are sent one by one. */
const maxPathLength = 1024;

const asUtf8 = (raw: Buffer): string | null => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(raw);
  } catch {
    return null;
  }
};

/**
 * Returns the name of an entry: UTF-8 when its flag or the Info-ZIP extra field says so (APPNOTE.TXT 4.4.4 and 4.6.9). Otherwise valid UTF-8
 * is assumed, which macOS writes without a flag, and else code page 437.
 */
export const nameOfEntry = (raw: Buffer, flags: number, extraFields: yauzl.ExtraField[]): string => {
  const declared = yauzl.getFileNameLowLevel(flags, raw, extraFields, true);
  const isUtf8Flagged = (flags & utf8Flag) !== 0 || extraFields.some(({ id }) => id === 0x7075);
  return (isUtf8Flagged ? declared : (asUtf8(raw) ?? declared)).normalize('NFC');
};

/** Returns whether a path is a file that an operating system adds for itself. */
export const isSystemFile = (path: string): boolean =>
  path
    .split('/')
    .some(
      (part) => part === '__MACOSX' || part.startsWith('._') || /^(\.DS_Store|Thumbs\.db|desktop\.ini)$/i.test(part),
    );

/** Folders and name separated by `/`; with a problem when the name makes the entry unacceptable. */
export interface EntryPath {
  readonly path: string;
  readonly problem: { readonly problem: FileProblem; readonly detail: string } | null;
}

const unsafe = (path: string, detail: string): EntryPath => ({
  path,
  problem: { problem: 'zip-unsafe-entry', detail },
});

/**
 * Returns the path of an entry in its zip. No file is ever written under this name, but a name that leads out of the archive is rejected as
 * malicious or broken. Some Windows programs separate folders by `\`.
 */
export const pathOfEntry = (name: string, folderDepth: number): EntryPath => {
  const whole = name.replaceAll('\\', '/');
  const shown = whole.replace(/\p{Cc}/gu, '').slice(-maxPathLength) || 'unnamed';
  if (/\p{Cc}/u.test(whole)) return unsafe(shown, 'its name holds control characters');
  if (whole.startsWith('/') || /^[A-Za-z]:/.test(whole)) return unsafe(shown, 'its name is an absolute path');
  const parts = whole.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) return unsafe(shown, 'its name leads out of the archive');
  if (parts.length === 0 || whole.length > maxPathLength) return unsafe(shown, 'its name is empty or far too long');
  const path = parts.join('/');
  if (parts.length - 1 <= folderDepth) return { path, problem: null };
  return { path, problem: { problem: 'too-deep', detail: `it lies deeper than ${folderDepth} folders` } };
};

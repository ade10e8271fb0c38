import yauzl from 'yauzl';
import type { FileProblem } from '../../../../contract/imports.ts';

const utf8Flag = 0x800;
/** As long as the paths of files that are sent one by one. */
const longestPath = 1024;

const asUtf8 = (raw: Buffer): string | null => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(raw);
  } catch {
    return null;
  }
};

/**
 * The name of an entry: UTF-8 where its flag or the extra field of Info-ZIP says so (APPNOTE.TXT 4.4.4 and 4.6.9), else what it must be: macOS and
 * others write UTF-8 without saying so, and what is no UTF-8 is code page 437.
 */
export const nameOfEntry = (raw: Buffer, flags: number, extraFields: yauzl.ExtraField[]): string => {
  const said = yauzl.getFileNameLowLevel(flags, raw, extraFields, true);
  const isSaid = (flags & utf8Flag) !== 0 || extraFields.some(({ id }) => id === 0x7075);
  return (isSaid ? said : (asUtf8(raw) ?? said)).normalize('NFC');
};

/** What systems put beside files for themselves. It is nobody's image, and nobody misses it. */
export const isLitter = (path: string): boolean =>
  path
    .split('/')
    .some(
      (part) => part === '__MACOSX' || part.startsWith('._') || /^(\.DS_Store|Thumbs\.db|desktop\.ini)$/i.test(part),
    );

/** Folders and name, parted by `/`; with a problem where the entry cannot be taken for its name alone. */
export interface EntryPath {
  readonly path: string;
  readonly problem: { readonly problem: FileProblem; readonly detail: string } | null;
}

const unsafe = (path: string, detail: string): EntryPath => ({
  path,
  problem: { problem: 'zip-unsafe-entry', detail },
});

/**
 * Where an entry lies in its zip. Nothing is ever written to a folder of this name; a name that leads out of the archive is all the same the work of
 * somebody who wants harm, or of a broken program, and such an entry is not taken. Some programs of Windows part folders by `\`.
 */
export const pathOfEntry = (name: string, folderDepth: number): EntryPath => {
  const whole = name.replaceAll('\\', '/');
  const shown = whole.replace(/\p{Cc}/gu, '').slice(-longestPath) || 'unnamed';
  if (/\p{Cc}/u.test(whole)) return unsafe(shown, 'its name holds control characters');
  if (whole.startsWith('/') || /^[A-Za-z]:/.test(whole)) return unsafe(shown, 'its name is an absolute path');
  const parts = whole.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) return unsafe(shown, 'its name leads out of the archive');
  if (parts.length === 0 || whole.length > longestPath) return unsafe(shown, 'its name is empty or far too long');
  const path = parts.join('/');
  if (parts.length - 1 <= folderDepth) return { path, problem: null };
  return { path, problem: { problem: 'too-deep', detail: `it lies deeper than ${folderDepth} folders` } };
};

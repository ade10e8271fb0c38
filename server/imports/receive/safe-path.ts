import path from 'node:path';
import { ProblemError } from '../../domain/problem-error.ts';

const maxNameLength = 255;

/** Returns a file name without folders and control characters. */
export const safeFileName = (sentName: string): string => {
  const [name = ''] = sentName.split(/[\\/]/).slice(-1);
  const clean = name
    .normalize('NFC')
    .replace(/\p{Cc}/gu, '')
    .trim();
  if (clean === '' || clean === '.' || clean === '..') return 'unnamed';
  if (clean.length <= maxNameLength) return clean;
  const { name: stem, ext } = path.parse(clean);
  return ext.length < maxNameLength
    ? `${stem.slice(0, maxNameLength - ext.length)}${ext}`
    : clean.slice(0, maxNameLength);
};

const isFolder = (segment: string): boolean => segment !== '' && segment !== '.' && !/^[a-z]:$/i.test(segment);

/**
 * Returns folders and name within the chosen folder, separated by `/`: not absolute, no drive, no control characters. It is displayed and
 * compared, and never opens a file.
 * @throws ProblemError 'invalid-request' when it leads out of the chosen folder; 'too-deep' when it has more than `maxFolders` folders
 */
export const safePath = (sentPath: string, maxFolders: number): string => {
  const folders = sentPath.split(/[\\/]/).slice(0, -1).filter(isFolder);
  if (folders.some((folder) => folder.trim() === '..'))
    throw new ProblemError('invalid-request', [{ fieldKey: 'path' }]);
  if (folders.length > maxFolders)
    throw new ProblemError('too-deep', [{ fieldKey: 'path', vars: { max: maxFolders } }]);
  return [...folders, sentPath.split(/[\\/]/).at(-1) ?? ''].map(safeFileName).join('/');
};

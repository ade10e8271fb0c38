import path from 'node:path';
import { Refusal } from '../../refusal.ts';

const longestName = 255;

/** The name as it was given, without folders of any system and without control characters. */
export const safeFileName = (given: string): string => {
  const [name = ''] = given.split(/[\\/]/).slice(-1);
  const clean = name
    .normalize('NFC')
    .replace(/\p{Cc}/gu, '')
    .trim();
  if (clean === '' || clean === '.' || clean === '..') return 'unnamed';
  if (clean.length <= longestName) return clean;
  const { name: stem, ext } = path.parse(clean);
  return ext.length < longestName ? `${stem.slice(0, longestName - ext.length)}${ext}` : clean.slice(0, longestName);
};

const isFolder = (segment: string): boolean => segment !== '' && segment !== '.' && !/^[a-z]:$/i.test(segment);

/**
 * Folders and name within what was chosen, parted by `/`: not absolute, no drive, no control characters. It is shown and compared, and never
 * opens a file.
 * @throws Refusal 'invalid-request' when it leads out of what was chosen; 'too-deep' when it has more than `mostFolders` folders
 */
export const safePath = (given: string, mostFolders: number): string => {
  const folders = given.split(/[\\/]/).slice(0, -1).filter(isFolder);
  if (folders.some((folder) => folder.trim() === '..')) throw new Refusal('invalid-request', [{ fieldKey: 'path' }]);
  if (folders.length > mostFolders) throw new Refusal('too-deep', [{ fieldKey: 'path', vars: { max: mostFolders } }]);
  return [...folders, given.split(/[\\/]/).at(-1) ?? ''].map(safeFileName).join('/');
};

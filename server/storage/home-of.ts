import { openDiskHome } from './disk-home.ts';
import type { FilesHome, FilesRoot } from './files-home.ts';

export const homeOf = (root: FilesRoot): FilesHome => (typeof root === 'string' ? openDiskHome(root) : root);
export const nameOf = (root: FilesRoot): string => (typeof root === 'string' ? root : root.name);

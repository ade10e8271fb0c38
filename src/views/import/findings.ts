import type { FilesRead } from '../parts/dropped-files.ts';
import { isZip } from './file-names.ts';
import { groupsOf, type ImportGroup, type LeftOut } from './groups.ts';

/** What a person has to be told about a gesture before, or instead of, an import. */
export type Finding =
  | { readonly kind: 'nothing' }
  /** A folder without images. */
  | { readonly kind: 'nothing-in'; readonly name: string; readonly leftOut: readonly LeftOut[] }
  /** A DICOMDIR without the folder that it lists. */
  | { readonly kind: 'lonely' }
  /** A folder that was chosen as one with a DICOMDIR has none; its files may be imported all the same. */
  | { readonly kind: 'no-directory'; readonly name: string; readonly groups: readonly ImportGroup[] };

export interface Gathered {
  readonly groups: readonly ImportGroup[];
  readonly findings: readonly Finding[];
}

const holdsDirectory = ({ kind, name }: ImportGroup) => kind === 'dicomdir' && !isZip(name);

/** Imports that come of a gesture, and what is to be said. `asDirectory`: it was to be a folder with a DICOMDIR. */
export const gather = (read: FilesRead, asDirectory: boolean): Gathered => {
  const { groups, nothingIn, lonely } = groupsOf(read);
  const findings: Finding[] = nothingIn.map(({ name, leftOut }) => ({ kind: 'nothing-in', name, leftOut }));
  if (lonely.length > 0) findings.push({ kind: 'lonely' });
  if (groups.length === 0 && findings.length === 0) findings.push({ kind: 'nothing' });
  if (!asDirectory || groups.length === 0 || groups.some(holdsDirectory)) return { groups, findings };
  const name = read.files[0]?.path.split('/')[0] ?? '';
  return { groups: [], findings: [...findings, { kind: 'no-directory', name, groups }] };
};

import { useTranslation } from 'react-i18next';
import type { SkippedFile } from '../../machines/import-study/upload.rules.ts';
import type { FilesRead } from '../ui/dropped-files.ts';
import { groupsOf, type ImportGroup, isZip } from './groups.ts';
import { maxNames } from './shown-import.ts';

/** Returns the text and details of a finding. */
export const useFindingText = (): ((finding: Finding) => readonly string[]) => {
  const { t } = useTranslation('import');
  return (finding) => {
    switch (finding.kind) {
      case 'nothing':
        return [t('nothingDropped')];
      case 'lonely':
        return [t('onlyDirectory')];
      case 'no-directory':
        return [t('noDirectory'), t('noDirectoryText', { name: finding.name })];
      case 'nothing-in': {
        const { name, leftOut } = finding;
        const [unreadable, noImage] = (['unreadable', 'no-image'] as const).map((why) =>
          leftOut.filter((file) => file.why === why).map(({ path }) => path),
        );
        const listed = (paths: readonly string[]) =>
          paths.slice(0, maxNames).join(', ') +
          (paths.length > maxNames ? ` ${t('andMore', { count: paths.length - maxNames })}` : '');
        return [
          ...(name === '' ? [] : [t('nothingIn', { name })]),
          ...(noImage?.length ? [t('nothingLeft', { count: noImage.length, names: listed(noImage) })] : []),
          ...(unreadable?.length ? [t('unreadable', { count: unreadable.length, names: listed(unreadable) })] : []),
        ];
      }
    }
  };
};

/** A message about dropped or chosen items, shown before or instead of an import. */
export type Finding =
  | { readonly kind: 'nothing' }
  /** A folder without images. */
  | { readonly kind: 'nothing-in'; readonly name: string; readonly leftOut: readonly SkippedFile[] }
  /** A DICOMDIR without the folder it lists. */
  | { readonly kind: 'lonely' }
  /** A folder chosen as DICOMDIR folder has no DICOMDIR; its files can still be imported. */
  | { readonly kind: 'no-directory'; readonly name: string; readonly groups: readonly ImportGroup[] };

interface Gathered {
  readonly groups: readonly ImportGroup[];
  readonly findings: readonly Finding[];
}

const holdsDirectory = ({ kind, name }: ImportGroup) => kind === 'dicomdir' && !isZip(name);

/** Returns the imports and findings of dropped or chosen items. `asDirectory`: a DICOMDIR folder was expected. */
export const gather = (read: FilesRead, asDirectory: boolean): Gathered => {
  const { groups, nothingIn, lonely } = groupsOf(read);
  const findings: Finding[] = nothingIn.map(({ name, leftOut }) => ({ kind: 'nothing-in', name, leftOut }));
  if (lonely.length > 0) findings.push({ kind: 'lonely' });
  if (groups.length === 0 && findings.length === 0) findings.push({ kind: 'nothing' });
  if (!asDirectory || groups.length === 0 || groups.some(holdsDirectory)) return { groups, findings };
  const name = read.files[0]?.path.split('/')[0] ?? '';
  return { groups: [], findings: [...findings, { kind: 'no-directory', name, groups }] };
};

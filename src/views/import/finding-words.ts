import { useTranslation } from 'react-i18next';
import type { Finding } from './findings.ts';
import { mostNames } from './shown-import.ts';

/** A finding in words: what it is, and what there is to know about it. */
export const useFindingWords = (): ((finding: Finding) => readonly string[]) => {
  const { t } = useTranslation('import');
  return (finding) => {
    switch (finding.kind) {
      case 'nothing':
        return [t('nothingDropped')];
      case 'lonely':
        return [t('lonelyDirectory')];
      case 'no-directory':
        return [t('noDirectory'), t('noDirectoryText', { name: finding.name })];
      case 'nothing-in': {
        const { name, leftOut } = finding;
        const [unreadable, noImage] = (['unreadable', 'no-image'] as const).map((why) =>
          leftOut.filter((file) => file.why === why).map(({ path }) => path),
        );
        const listed = (paths: readonly string[]) =>
          paths.slice(0, mostNames).join(', ') +
          (paths.length > mostNames ? ` ${t('andMore', { count: paths.length - mostNames })}` : '');
        return [
          ...(name === '' ? [] : [t('nothingIn', { name })]),
          ...(noImage?.length ? [t('nothingLeft', { count: noImage.length, names: listed(noImage) })] : []),
          ...(unreadable?.length ? [t('unreadable', { count: unreadable.length, names: listed(unreadable) })] : []),
        ];
      }
    }
  };
};

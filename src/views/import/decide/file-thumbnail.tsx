import { useTranslation } from 'react-i18next';
import type { ImportFile } from '../../../../contract/imports.ts';
import { Thumbnail } from '../../parts/thumbnail.tsx';

interface FileThumbnailProps {
  readonly file: ImportFile;
  readonly rotation?: number;
  readonly flipped?: boolean;
}

/** The small picture of a file that is not imported yet. Of a file that is in the archive already there may be none. */
export const FileThumbnail = ({ file, rotation = 0, flipped = false }: FileThumbnailProps) => {
  const { t } = useTranslation('import-decide');
  return (
    <Thumbnail
      link={file.thumbLink}
      kind="image"
      words={{ pending: t('thumbPending'), failed: t('thumbFailed'), document: '' }}
      rotation={rotation}
      flipped={flipped}
    />
  );
};

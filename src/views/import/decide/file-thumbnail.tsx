import { useTranslation } from 'react-i18next';
import type { ImportFile } from '../../../../contract/imports.ts';
import { Thumbnail } from '../../parts/thumbnail.tsx';

interface FileThumbnailProps {
  readonly file: ImportFile;
  readonly rotation?: number;
  readonly flipped?: boolean;
}

/** The small picture of a file that is not imported yet; a document (an encapsulated PDF) has none. */
export const FileThumbnail = ({ file, rotation = 0, flipped = false }: FileThumbnailProps) => {
  const { t } = useTranslation('import-decide');
  return (
    <Thumbnail
      link={file.thumbLink}
      kind={file.modality === 'DOC' ? 'document' : 'image'}
      words={{ pending: t('thumbPending'), failed: t('thumbFailed'), document: t('document') }}
      rotation={rotation}
      flipped={flipped}
    />
  );
};

import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import { useTranslation } from 'react-i18next';
import type { FileError } from '../../../../contract/images.ts';
import type { LoadedImage } from '../../../viewer/index.ts';
import { useFileErrorText } from '../../language/file-error-text.ts';
import classes from './stage-state.module.css';

interface ImageWarningsProps {
  readonly image: LoadedImage;
  readonly fileError: FileError | null;
}

/** Warns over an image that its stored file is damaged or missing, and what of the file is not shown as it says. */
export const ImageWarnings = ({ image, fileError }: ImageWarningsProps) => {
  const { t } = useTranslation(['viewer', 'patient']);
  const errorText = useFileErrorText()(fileError);
  const texts = [
    errorText !== null && t('patient:storageShown', { fault: errorText }),
    image.coded !== null &&
      t('codedSmaller', {
        coded: `${image.coded.columns} × ${image.coded.rows}`,
        described: `${image.width} × ${image.height}`,
      }),
    image.overlayPlanes.incomplete > 0 && t('planesIncomplete'),
  ].filter((text) => text !== false);
  if (texts.length === 0) return null;
  return (
    <div className={classes.warnings} role="status" data-on-black>
      {texts.map((text) => (
        <p key={text} className={classes.warning}>
          <IconAlertTriangle aria-hidden="true" />
          <span>{text}</span>
        </p>
      ))}
    </div>
  );
};

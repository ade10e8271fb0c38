import { useTranslation } from 'react-i18next';
import type { ImageInfo } from '../../../contract/images.ts';
import { ModalityName } from '../language/modality-name.tsx';
import { fileSize } from '../parts/file-size.ts';
import classes from './image-facts.module.css';
import { ToothChart } from './tooth-chart.tsx';

/** A moment as `YYYY-MM-DD hh:mm:ss`; a date alone stays a date. */
const momentText = (moment: string) => moment.slice(0, 19).replace('T', ' ');

/** What is known of the image in hand. */
export const ImageFacts = ({ image }: { image: ImageInfo }) => {
  const { t, i18n } = useTranslation('patient');
  const facts: readonly (readonly [string, React.ReactNode])[] = [
    [t('modality'), <ModalityName key="modality" code={image.seriesModalityValue} />],
    [t('acquired'), image.imageAcquiredDate && momentText(image.imageAcquiredDate)],
    [t('laterality'), image.laterality && t(image.laterality)],
    [t('size'), image.kind === 'image' && `${image.width} × ${image.height}`],
    [t('frames'), image.frames > 1 && image.frames],
    [t('compression'), t(image.imageCompression)],
    [t('fileSize'), fileSize(image.imageFileSize, i18n.language)],
    [t('source'), image.source === 'dicom' ? t('sourceDicom') : t('sourcePicture')],
    [t('fileName'), image.imageFileName],
    [t('comment'), image.imageComment],
  ];
  return (
    <>
      <section className={classes.part}>
        <h2 className={classes.heading}>{t('teeth')}</h2>
        <ToothChart teeth={image.teeth} />
      </section>
      <section className={classes.part}>
        <dl className={classes.facts}>
          {facts
            .filter(([, value]) => value)
            .map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
        </dl>
      </section>
    </>
  );
};

import { useTranslation } from 'react-i18next';
import type { ImageInfo } from '../../../contract/images.ts';
import { teethShown } from '../../../contract/viewsets.ts';
import { ModalityName } from '../language/modality-name.tsx';
import { fileSize } from '../parts/file-size.ts';
import classes from './image-facts.module.css';
import { useImageName } from './image-name.ts';
import { RecordMenu } from './record-menu.tsx';
import { ToothChart } from './tooth-chart.tsx';

/** A moment as `YYYY-MM-DD hh:mm:ss`; a date alone stays a date. */
const momentText = (moment: string) => moment.slice(0, 19).replace('T', ' ');

interface ImageFactsProps {
  readonly image: ImageInfo;
  /** Of the slot in which it hangs; none in no slot. */
  readonly slotTeeth?: readonly number[];
}

/** What is known of the image in hand. */
export const ImageFacts = ({ image, slotTeeth = [] }: ImageFactsProps) => {
  const { t, i18n } = useTranslation('patient');
  const imageName = useImageName();
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
        <div className={classes.top}>
          <h2 className={classes.heading}>{t('teeth')}</h2>
          <RecordMenu
            name={imageName(image)}
            wishes={[
              { kind: 'edit-image', image, slotTeeth },
              { kind: 'delete-image', image },
            ]}
          />
        </div>
        <ToothChart teeth={teethShown({ teeth: [...slotTeeth], activeImage: image })} />
        {image.teethSource === 'user' && <p className={classes.quiet}>{t('teethOfPerson')}</p>}
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

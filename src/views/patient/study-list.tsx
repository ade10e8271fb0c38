import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { ImageInfo } from '../../../contract/images.ts';
import type { Study } from '../../../contract/studies.ts';
import { Thumbnail } from '../parts/thumbnail.tsx';
import { imagesOf, type Place, placePath, viewsetPath } from './place.ts';
import classes from './study-list.module.css';

interface StudyListProps {
  readonly patientId: string;
  readonly studies: readonly Study[];
  readonly place: Place;
}

/** The name of an image for a person: its teeth, its own name, or its number. */
export const useImageName = () => {
  const { t } = useTranslation('patient');
  return (image: ImageInfo): string =>
    image.teeth.length > 0
      ? image.teeth.join(' ')
      : image.name.trim() || t('imageNumber', { number: image.number ?? image.order });
};

const ImageButton = ({ patientId, image, active }: { patientId: string; image: ImageInfo; active: boolean }) => {
  const { t } = useTranslation('patient');
  const nameOf = useImageName();
  return (
    <Link
      href={placePath(patientId, { series: image.seriesUid, imageUid: image.uid })}
      className={classes.image}
      aria-label={t('openImage', { name: nameOf(image) })}
      aria-current={active || undefined}
      title={nameOf(image)}
    >
      <Thumbnail
        link={image.activeImageThumbLink}
        kind={image.kind}
        words={{ pending: t('thumbnailPending'), failed: t('thumbnailFailed'), document: t('document') }}
      />
    </Link>
  );
};

/** Studies, newest first: their mounts as rows, their images as thumbnails. */
export const StudyList = ({ patientId, studies, place }: StudyListProps) => {
  const { t } = useTranslation(['patient', 'modality']);
  return (
    <ol className={classes.list} aria-label={t('studies')}>
      {studies.map((study) => {
        const images = imagesOf(study);
        return (
          <li key={study.uid} className={classes.study}>
            <h2 className={classes.heading}>
              <time dateTime={study.studyDate ?? undefined}>{study.studyDate ?? t('undated')}</time>
              <span className={classes.description}>{study.description || t('untitled')}</span>
            </h2>
            {study.viewsets.length > 0 && (
              <ul className={classes.viewsets}>
                {study.viewsets.map((viewset) => (
                  <li key={viewset.viewSetUuid}>
                    <Link
                      href={viewsetPath(patientId, study, viewset.viewSetUuid)}
                      className={classes.viewset}
                      aria-current={place.viewsetId === viewset.viewSetUuid || undefined}
                      aria-label={t('mount', { name: viewset.name })}
                    >
                      <span className={classes.viewsetName}>{viewset.name}</span>
                      <span className={classes.filled}>
                        {t('slots', { filled: viewset.filledSlots, slots: viewset.slots })}
                      </span>
                    </Link>
                  </li>
                ))}
              </ul>
            )}
            {images.length > 0 && (
              <ul className={classes.images}>
                {images.map((image) => (
                  <li key={image.uid}>
                    <ImageButton patientId={patientId} image={image} active={place.imageUid === image.uid} />
                  </li>
                ))}
              </ul>
            )}
          </li>
        );
      })}
    </ol>
  );
};

import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { GalleryImage } from '../../../contract/gallery.ts';
import type { Gallery, GalleryAsked } from '../../services/queries.ts';
import { useCountText } from '../language/count-text.ts';
import { PassingPicture } from '../parts/passing-picture.tsx';
import classes from './newest-images.module.css';
import { mostPreviewed, type PreviewSubject } from './preview-subject.ts';

interface NewestImagesProps {
  readonly gallery: Gallery;
  readonly clinicId: string;
  readonly subject: PreviewSubject;
  /** Its row is looked at no longer: what has not come is not waited for. */
  readonly isLeft: boolean;
}

/** Pictures are linked for longer than this, and news of the archive makes answers old before. */
const staleTime = 300_000;

const dayOf = ({ imageAcquiredDate, studyDate }: GalleryImage) => (imageAcquiredDate ?? studyDate ?? '').slice(0, 10);

/** Two in a line, one alone as wide as both. */
const laidOut = (images: number) => ({ '--columns': Math.min(2, images), '--lines': Math.ceil(images / 2) });

/** The places of images that are to come. */
const Awaited = ({ count }: { readonly count: number }) => {
  const shown = Math.min(count, mostPreviewed);
  return (
    <div className={classes.images} style={laidOut(shown)} aria-hidden="true">
      {Array.from({ length: shown }, (_, place) => place).map((place) => (
        <div key={place} className={classes.frame} />
      ))}
    </div>
  );
};

type FoundProps = Pick<NewestImagesProps, 'gallery' | 'isLeft'> & {
  readonly asked: GalleryAsked;
  readonly awaited: number;
};

/** As many as there is room for, the newest first. */
const Found = ({ gallery, asked, awaited, isLeft }: FoundProps) => {
  const { t } = useTranslation(['search', 'patient']);
  const countText = useCountText();
  const { data, isError } = useQuery({ ...gallery.page(asked, 0), staleTime });
  if (isError && !data) return <p className={classes.quiet}>{t('previewFailed')}</p>;
  if (!data) return <Awaited count={awaited} />;
  if (data.data.length === 0) return <p className={classes.quiet}>{t('noImages')}</p>;
  const words = {
    pending: t('patient:thumbnailPending'),
    failed: t('patient:thumbnailFailed'),
    document: t('patient:document'),
  };
  return (
    <>
      <ul className={classes.images} style={laidOut(data.data.length)}>
        {data.data.map((image) => (
          <li key={image.uid} className={classes.image}>
            <div className={classes.frame}>
              <PassingPicture link={image.activeImageThumbLink} words={words} alt={image.name} isLeft={isLeft} />
            </div>
            <span className={classes.quiet}>{dayOf(image)}</span>
          </li>
        ))}
      </ul>
      {data.totalCount > data.data.length && (
        <p className={classes.quiet}>{t('imageCount', { count: data.totalCount, number: countText(data) })}</p>
      )}
    </>
  );
};

/** The newest images of a patient or study, in small. */
export const NewestImages = ({ gallery, clinicId, subject, isLeft }: NewestImagesProps) => {
  const { t } = useTranslation('search');
  const { of, name, detail, awaited } = subject;
  const asked = { customerId: clinicId, ...of, sort: 'date', order: 'desc', ppage: mostPreviewed } as const;
  const images = () => {
    if (awaited === 0) return <p className={classes.quiet}>{t('noImages')}</p>;
    // Nobody waits for an answer that is asked for by nothing that stands on the page.
    if (isLeft && !gallery.knownPage(asked, 0)) return <Awaited count={awaited} />;
    return <Found key={JSON.stringify(of)} {...{ gallery, asked, awaited, isLeft }} />;
  };
  return (
    <>
      <header className={classes.head}>
        <p className={classes.name} title={name}>
          {name}
        </p>
        <p className={classes.quiet}>{detail}</p>
      </header>
      {images()}
    </>
  );
};

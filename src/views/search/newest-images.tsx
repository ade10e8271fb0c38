import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { GalleryImage } from '../../../contract/gallery.ts';
import type { Gallery, GalleryAsked } from '../../services/queries.ts';
import { useCountText } from '../language/count-text.ts';
import { useFileErrorText } from '../language/file-error-text.ts';
import { LazyThumbnail } from '../ui/lazy-thumbnail.tsx';
import classes from './newest-images.module.css';
import { maxPreviewed, type PreviewSubject } from './preview-subject.ts';

interface NewestImagesProps {
  readonly gallery: Gallery;
  readonly clinicId: string;
  readonly subject: PreviewSubject;
  /** The row is no longer hovered; pending images are not loaded. */
  readonly isLeft: boolean;
}

/** Image links stay valid for longer than this, and change events invalidate earlier. */
const staleTime = 300_000;

const dayOf = ({ imageAcquiredDate, studyDate }: GalleryImage) => (imageAcquiredDate ?? studyDate ?? '').slice(0, 10);

/** Two per row; a single image spans both columns. */
const laidOut = (images: number) => ({ '--columns': Math.min(2, images), '--lines': Math.ceil(images / 2) });

/** Placeholders for images that are loading. */
const Awaited = ({ count }: { readonly count: number }) => {
  const shown = Math.min(count, maxPreviewed);
  return (
    <div className={classes.images} style={laidOut(shown)} aria-hidden="true">
      {Array.from({ length: shown }, (_, index) => index).map((position) => (
        <div key={position} className={classes.frame} />
      ))}
    </div>
  );
};

type FoundProps = Pick<NewestImagesProps, 'gallery' | 'isLeft'> & {
  readonly query: GalleryAsked;
  readonly awaited: number;
};

/** Shows the newest images that fit. */
const Found = ({ gallery, query, awaited, isLeft }: FoundProps) => {
  const { t } = useTranslation(['search', 'patient']);
  const countText = useCountText();
  const errorText = useFileErrorText();
  const { data, isError } = useQuery({ ...gallery.page(query, 0), staleTime });
  if (isError && !data) return <p className={classes.dimmed}>{t('previewFailed')}</p>;
  if (!data) return <Awaited count={awaited} />;
  if (data.data.length === 0) return <p className={classes.dimmed}>{t('noImages')}</p>;
  const texts = {
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
              <LazyThumbnail
                link={image.activeImageThumbLink}
                words={texts}
                errorText={errorText(image.storageFault)}
                alt={image.name}
                isLeft={isLeft}
              />
            </div>
            <span className={classes.dimmed}>{dayOf(image)}</span>
          </li>
        ))}
      </ul>
      {data.totalCount > data.data.length && (
        <p className={classes.dimmed}>{t('imageCount', { count: data.totalCount, number: countText(data) })}</p>
      )}
    </>
  );
};

/** Small previews of the newest images of a patient or study. */
export const NewestImages = ({ gallery, clinicId, subject, isLeft }: NewestImagesProps) => {
  const { t } = useTranslation('search');
  const { of, name, detail, awaited } = subject;
  const query = { customerId: clinicId, ...of, sort: 'date', order: 'desc', ppage: maxPreviewed } as const;
  const images = () => {
    if (awaited === 0) return <p className={classes.dimmed}>{t('noImages')}</p>;
    // Cancels the request when the preview unmounts.
    if (isLeft && !gallery.knownPage(query, 0)) return <Awaited count={awaited} />;
    return <Found key={JSON.stringify(of)} gallery={gallery} query={query} awaited={awaited} isLeft={isLeft} />;
  };
  return (
    <>
      <header className={classes.head}>
        <p className={classes.name} title={name}>
          {name}
        </p>
        <p className={classes.dimmed}>{detail}</p>
      </header>
      {images()}
    </>
  );
};

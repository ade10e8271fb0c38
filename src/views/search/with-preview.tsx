import IconPhoto from '@tabler/icons-react/dist/esm/icons/IconPhoto.mjs';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Gallery } from '../../services/queries.ts';
import { useGround } from '../ground.tsx';
import type { NewestImages } from './newest-images.tsx';
import type { PreviewSubject } from './preview-subject.ts';
import { useRest } from './use-rest.ts';
import classes from './with-preview.module.css';

interface WithPreviewProps<Row extends { readonly id: string }> {
  readonly clinicId: string;
  readonly rows: readonly Row[] | null;
  readonly subjectOf: (row: Row) => PreviewSubject;
  /** The table of these rows. */
  readonly children: ReactNode;
}

/** What draws the images, and what asks for them: fetched when somebody comes to a row. */
interface Fetched {
  readonly Images: typeof NewestImages;
  readonly gallery: Gallery;
}

/**
 * A table, and at its right the newest images of the row on which one rests. Their place is kept free, so that nothing moves; the style sheet says
 * whether there is one. What does not come is left out: the list is what the page is for.
 */
export const WithPreview = <Row extends { readonly id: string }>(props: WithPreviewProps<Row>) => {
  const { clinicId, rows, subjectOf, children } = props;
  const { t } = useTranslation('search');
  const { gallery: loadGallery } = useGround();
  const place = useRef<HTMLElement>(null);
  const [fetched, setFetched] = useState<Fetched | null>(null);
  const isFetching = useRef(false);
  const fetchOnce = () => {
    if (isFetching.current) return;
    isFetching.current = true;
    Promise.all([import('./newest-images.tsx'), loadGallery()]).then(
      ([{ NewestImages: Images }, gallery]) => setFetched({ Images, gallery }),
      () => {
        isFetching.current = false;
      },
    );
  };
  const { rest, watch } = useRest({
    rowOf: (element) => {
      if (place.current?.contains(element)) return undefined;
      const index = element.closest<HTMLElement>('tr[data-index]')?.dataset.index;
      return index === undefined ? null : (rows?.[Number(index)]?.id ?? null);
    },
    onComing: () => {
      const hasRoom = (place.current?.clientWidth ?? 0) > 0;
      if (hasRoom) fetchOnce();
      return hasRoom;
    },
  });
  const row = rows?.find(({ id }) => id === rest?.id);
  const content = () => {
    if (fetched && rest && row) {
      const { Images, gallery } = fetched;
      const subject = subjectOf(row);
      return <Images {...{ clinicId, gallery, subject }} isLeft={rest.isLeft} />;
    }
    if (!rows?.length) return null;
    return (
      <p className={classes.hint}>
        <IconPhoto aria-hidden="true" />
        {t('previewHint')}
      </p>
    );
  };
  return (
    <div className={classes.beside} {...watch}>
      {children}
      <section ref={place} className={classes.preview} aria-label={t('newestImages')}>
        {content()}
      </section>
    </div>
  );
};

import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SharedImage } from '../../../contract/shared-links.ts';
import { Thumbnail } from '../ui/thumbnail.tsx';
import { useImageText } from './image-text.ts';
import type { SharedAccess } from './shared-access.ts';
import classes from './shared-page.module.css';

/** Loads a thumbnail when it is near the visible part of the page; null until then, `error` when it fails. */
const useThumbnail = (element: HTMLElement | null, image: SharedImage, load: SharedAccess['thumbnail']) => {
  const [link, setLink] = useState<string | null>(null);
  const { uid, kind } = image;
  useEffect(() => {
    if (!element || kind === 'document') return;
    const stop = new AbortController();
    let made: string | null = null;
    const begin = async () => {
      try {
        const picture = await load(uid, stop.signal);
        if (stop.signal.aborted) return;
        made = URL.createObjectURL(picture);
        setLink(made);
      } catch {
        if (!stop.signal.aborted) setLink('error');
      }
    };
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        void begin();
      },
      { rootMargin: '200px' },
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      stop.abort();
      if (made !== null) URL.revokeObjectURL(made);
      setLink(null);
    };
  }, [element, uid, kind, load]);
  return link;
};

/** Returns whether the list is beside the image, as in shared-page.module.css. */
const isBeside = (): boolean => window.matchMedia('(min-width: 900px)').matches;

interface SharedItemProps {
  readonly image: SharedImage;
  readonly isChosen: boolean;
  readonly thumbnail: SharedAccess['thumbnail'];
  readonly onChoose: (uid: string) => void;
}

const SharedItem = ({ image, isChosen, thumbnail, onChoose }: SharedItemProps) => {
  const { t } = useTranslation('shared');
  const [item, setItem] = useState<HTMLLIElement | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const link = useThumbnail(item, image, thumbnail);
  const { kind, teeth, date } = useImageText()(image);
  useEffect(() => {
    // On a narrow page the list is below the image, which must stay in view.
    if (isChosen && isBeside()) button.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  const words = { pending: t('loading'), failed: t('imageFailed', { reason: '' }).trim(), document: t('document') };
  const content = (
    <>
      <span className={classes.thumb} data-on-black>
        <Thumbnail
          link={link}
          kind={image.kind}
          words={words}
          rotation={image.display?.rotation ?? 0}
          flipped={image.display?.horizontalFlip ?? false}
        />
      </span>
      <span className={classes.caption}>
        <span>{image.kind === 'document' ? t('document') : kind}</span>
        {teeth && <span>{teeth}</span>}
        <span className={classes.dimmed}>{date}</span>
      </span>
    </>
  );
  return (
    <li ref={setItem}>
      {image.kind === 'document' ? (
        <span className={classes.item}>{content}</span>
      ) : (
        <button
          ref={button}
          type="button"
          className={classes.item}
          aria-pressed={isChosen}
          onClick={() => onChoose(image.uid)}
        >
          {content}
        </button>
      )}
    </li>
  );
};

interface SharedListProps extends Pick<SharedItemProps, 'thumbnail' | 'onChoose'> {
  readonly images: readonly SharedImage[];
  /** The image in the viewer; null when there is none. */
  readonly chosen: string | null;
}

/** The images of a link, each with kind, teeth and date. */
export const SharedList = ({ images, chosen, ...item }: SharedListProps) => {
  const { t } = useTranslation('shared');
  return (
    <ul className={classes.list} aria-label={t('images')}>
      {images.map((image) => (
        <SharedItem key={image.uid} image={image} isChosen={image.uid === chosen} {...item} />
      ))}
    </ul>
  );
};

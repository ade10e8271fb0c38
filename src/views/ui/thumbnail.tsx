import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import IconFileText from '@tabler/icons-react/dist/esm/icons/IconFileText.mjs';
import IconPhotoX from '@tabler/icons-react/dist/esm/icons/IconPhotoX.mjs';
import IconVideo from '@tabler/icons-react/dist/esm/icons/IconVideo.mjs';
import { useState } from 'react';
import classes from './thumbnail.module.css';

/** A badge in the corner of an image whose stored file is damaged or missing. */
export const ErrorBadge = ({ text }: { readonly text: string }) => (
  <span className={classes.badge} role="img" aria-label={text} title={text}>
    <IconAlertTriangle aria-hidden="true" />
  </span>
);

interface ThumbnailProps {
  /** A signed URL, null while it is created, or `error`. */
  readonly link: string | null;
  readonly kind: 'image' | 'document' | 'video';
  /** Labels of each state. */
  readonly words: { readonly pending: string; readonly failed: string; readonly document: string };
  /** What is wrong with the stored file, as text. */
  readonly errorText?: string | null;
  /** Degrees clockwise, after the flip. */
  readonly rotation?: number;
  readonly flipped?: boolean;
}

/** A thumbnail on black, or a text about why there is none. */
export const Thumbnail = ({ link, kind, words, errorText = null, rotation = 0, flipped = false }: ThumbnailProps) => {
  const [broken, setBroken] = useState<string | null>(null);
  const hasPicture = link !== null && link !== 'error' && broken !== link;
  if (errorText !== null && (kind !== 'image' || !hasPicture))
    return (
      <span className={classes.state} title={errorText} data-error>
        <IconAlertTriangle aria-hidden="true" />
        <span className={classes.error}>{errorText}</span>
      </span>
    );
  if (kind !== 'image') {
    const Icon = kind === 'video' ? IconVideo : IconFileText;
    return (
      <span className={classes.state} title={words.document}>
        <Icon aria-label={words.document} />
      </span>
    );
  }
  if (link === null)
    return <span className={classes.pending} role="img" aria-label={words.pending} title={words.pending} />;
  if (!hasPicture)
    return (
      <span className={classes.state} title={words.failed}>
        <IconPhotoX aria-label={words.failed} />
      </span>
    );
  const across = rotation % 180 !== 0;
  return (
    <span className={classes.frame}>
      <img
        className={classes.image}
        data-across={across || undefined}
        src={link}
        alt=""
        loading="lazy"
        decoding="async"
        draggable={false}
        style={{ transform: `rotate(${rotation}deg) scaleX(${flipped ? -1 : 1})` }}
        onError={() => setBroken(link)}
      />
      {errorText !== null && <ErrorBadge text={errorText} />}
    </span>
  );
};

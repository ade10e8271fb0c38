import IconFileText from '@tabler/icons-react/dist/esm/icons/IconFileText.mjs';
import IconPhotoX from '@tabler/icons-react/dist/esm/icons/IconPhotoX.mjs';
import { useState } from 'react';
import classes from './thumbnail.module.css';

interface ThumbnailProps {
  /** A signed link, null while it is being made, or `error`. */
  readonly link: string | null;
  readonly kind: 'image' | 'document';
  /** Words for each state. */
  readonly words: { readonly pending: string; readonly failed: string; readonly document: string };
  /** Degrees clockwise, after the flip. */
  readonly rotation?: number;
  readonly flipped?: boolean;
}

/** A small picture on black, or in words why there is none. */
export const Thumbnail = ({ link, kind, words, rotation = 0, flipped = false }: ThumbnailProps) => {
  const [broken, setBroken] = useState<string | null>(null);
  if (kind === 'document')
    return (
      <span className={classes.state} title={words.document}>
        <IconFileText aria-label={words.document} />
      </span>
    );
  if (link === null)
    return <span className={classes.pending} role="img" aria-label={words.pending} title={words.pending} />;
  if (link === 'error' || broken === link)
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
    </span>
  );
};

import { type MouseEvent, memo } from 'react';
import type { GalleryImage, GallerySort } from '../../../contract/gallery.ts';
import type { Column } from '../parts/record-table/columns.ts';
import classes from './gallery.module.css';
import { imageText } from './image-texts.ts';

interface GalleryRowProps {
  readonly index: number;
  /** Null while it is fetched. */
  readonly image: GalleryImage | null;
  readonly columns: readonly Column<GalleryImage, GallerySort>[];
  readonly isActive: boolean;
  readonly isChosen: boolean;
  readonly waiting: string;
  /** What its check box is called. */
  readonly tick: string;
  readonly onPress: (index: number, event: MouseEvent, isCheck: boolean) => void;
}

/** One image with what is known of it. */
export const GalleryRow = memo((props: GalleryRowProps) => {
  const { index, image, columns, isActive, isChosen, waiting, tick, onPress } = props;
  const name = image ? imageText(image) : waiting;
  return (
    <tr
      className={classes.row}
      data-index={index}
      data-opens
      aria-rowindex={index + 2}
      aria-selected={isChosen}
      tabIndex={isActive ? 0 : -1}
      onClick={(event) =>
        onPress(index, event, event.target instanceof Element && event.target.closest('[data-check]') !== null)
      }
    >
      <td className={classes.tick} data-check>
        {image && <input type="checkbox" tabIndex={-1} aria-label={tick} checked={isChosen} readOnly />}
      </td>
      {columns.map((column, place) => (
        <td
          key={column.key}
          data-number={column.isNumber || undefined}
          data-picture={column.key === 'image' || undefined}
          title={image && column.key !== 'image' ? column.text(image) || undefined : undefined}
        >
          {image === null && place === 0 && <span className={classes.spoken}>{waiting}</span>}
          {image && (column.render ? column.render(image) : column.text(image))}
          {image && column.key === 'image' && <span className={classes.spoken}>{name}</span>}
        </td>
      ))}
    </tr>
  );
});

import { memo } from 'react';
import type { GalleryImage, GallerySort } from '../../../contract/gallery.ts';
import type { Column } from '../ui/record-table/columns.ts';
import classes from './gallery.module.css';
import { imageText } from './image-texts.ts';

interface GalleryRowProps {
  readonly index: number;
  /** Null while loading. */
  readonly image: GalleryImage | null;
  readonly columns: readonly Column<GalleryImage, GallerySort>[];
  readonly isActive: boolean;
  readonly isChosen: boolean;
  readonly waiting: string;
  /** Accessible name of the check box. */
  readonly tick: string;
}

/** Table row of one image. The table handles its keys and clicks. */
export const GalleryRow = memo((props: GalleryRowProps) => {
  const { index, image, columns, isActive, isChosen, waiting, tick } = props;
  const name = image ? imageText(image) : waiting;
  return (
    <tr
      className={classes.row}
      data-index={index}
      data-opens
      aria-rowindex={index + 2}
      aria-selected={isChosen}
      tabIndex={isActive ? 0 : -1}
    >
      <td className={classes.tick} data-check>
        {image && <input type="checkbox" tabIndex={-1} aria-label={tick} checked={isChosen} readOnly />}
      </td>
      {columns.map((column, columnIndex) => (
        <td
          key={column.key}
          data-number={column.isNumber || undefined}
          data-picture={column.key === 'image' || undefined}
          title={image && column.key !== 'image' ? column.text(image) || undefined : undefined}
        >
          {image === null && columnIndex === 0 && <span className={classes.visuallyHidden}>{waiting}</span>}
          {image && (column.render ? column.render(image) : column.text(image))}
          {image && column.key === 'image' && <span className={classes.visuallyHidden}>{name}</span>}
        </td>
      ))}
    </tr>
  );
});
